import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'
import { openApp } from '#test/render.tsx'

let api: FakeApi
let close = (): void => undefined

beforeEach(() => {
  api = fakeApi({ 'GET /auth/opcoes': () => ok({ permitirAutoRegistro: true, email: true }) })
  close = openApp('/register')
})
afterEach(() => {
  close()
  api.restore()
})

const FEITO = 'Cadastro realizado com sucesso! Aguarde aprovação do administrador.'
const field = (label: string) => page.getByLabelText(label, { exact: true })
const termos = page.getByRole('checkbox')
const create = page.getByRole('button', { name: 'Criar conta' })
const requests = () => api.calls.filter(({ route }) => route === 'POST /auth/register').map(({ body }) => body)

async function fillAll(): Promise<void> {
  await field('Nome').fill('Ana Ribeiro')
  await field('E-mail').fill('ana@aurora.com.br')
  await field('Telefone').fill('11987654321')
  await field('Empresa').fill('Padaria Aurora')
  await field('Senha').fill('pao-quentinho')
  await field('Confirmar senha').fill('pao-quentinho')
  await termos.click()
}

describe('Sign-up', () => {
  it('shows the whole form with its button at a height of 768', async () => {
    await page.viewport(1366, 768)
    await expect.element(page.getByText('recebe um e-mail', { exact: false })).toBeVisible()
    await expect.element(create).toBeInViewport({ ratio: 1 })
    await page.viewport(1366, 800)
  })

  it('promises no mail without a mail server', async () => {
    close()
    api.on('GET /auth/opcoes', () => ok({ permitirAutoRegistro: true, email: false }))
    close = openApp('/register')
    await expect.element(page.getByText('Depois disso, você já pode entrar.', { exact: false })).toBeVisible()
    expect(page.getByText('recebe um e-mail', { exact: false }).query()).toBeNull()
  })

  it('sends the form with the phone’s digits and opens the login with pending approval', async () => {
    api.on('POST /auth/register', () => ({ status: 201, body: { mensagem: FEITO } }))
    await fillAll()
    await expect.element(field('Telefone')).toHaveValue('(11) 98765-4321')
    await create.click()
    await expect.poll(() => location.pathname + location.search).toBe('/login?aviso=aguardando')
    await expect.element(page.getByText(FEITO).first()).toBeVisible()
    const range = page.getByRole('status').filter({ hasText: 'Aguardando aprovação' })
    await expect.element(range).toMatchTextContent(/Aguarde aprovação do administrador\./)
    expect(requests()).toEqual([
      {
        nome: 'Ana Ribeiro',
        email: 'ana@aurora.com.br',
        telefone: '11987654321',
        empresa: 'Padaria Aurora',
        senha: 'pao-quentinho',
      },
    ])
  })

  it('sends the plan of the landing page, which the visitor may change', async () => {
    close()
    close = openApp('/register?plano=doacao')
    api.on('POST /auth/register', () => ({ status: 201, body: { mensagem: FEITO } }))
    await fillAll()
    await expect.element(page.getByText('Plano escolhido: Doação, R$ 10,00 por mês')).toBeVisible()
    await page.getByRole('link', { name: 'Trocar para Gratuito' }).click()
    await expect.element(page.getByText('Plano escolhido: Gratuito, R$ 0')).toBeVisible()
    await page.getByRole('link', { name: 'Trocar para Doação' }).click()
    await expect.element(page.getByText('Plano escolhido: Doação, R$ 10,00 por mês')).toBeVisible()
    await expectAccessible()
    await create.click()
    await expect.poll(requests).toMatchObject([{ nome: 'Ana Ribeiro', planoDesejado: 'doacao' }])
  })

  it('ignores an unknown plan in the address', async () => {
    close()
    close = openApp('/register?plano=ouro')
    await expect.element(create).toBeVisible()
    expect(page.getByText(/Plano escolhido/).query()).toBeNull()
  })

  it('validates in reading order, one fault at a time, and focuses it', async () => {
    const steps = [
      ['Nome é obrigatório', 'Nome', 'Ana'],
      ['Email é obrigatório', 'E-mail', 'ana@aurora.com.br'],
      ['Senha deve ter pelo menos 6 caracteres', 'Senha', 'pao-quente'],
      ['Senhas não coincidem', 'Confirmar senha', 'pao-quente'],
    ] as const
    for (const [sentence, label, value] of steps) {
      await create.click()
      await expect.element(field(label)).toHaveAccessibleDescription(new RegExp(sentence))
      await expect.element(field(label)).toHaveFocus()
      await expect.element(page.getByRole('alert')).toMatchTextContent(new RegExp(sentence))
      expect(document.querySelectorAll('[aria-invalid=true]')).toHaveLength(1)
      await field(label).fill(value)
    }
    await create.click()
    await expect.element(termos).toHaveAccessibleDescription('Você deve aceitar os termos de uso')
    await expect.element(termos).toHaveFocus()
    expect(requests()).toEqual([])
  })

  it('shows a taken e-mail under its field and keeps the typed values', async () => {
    api.on('POST /auth/register', () => refusal(409, 'emailJaCadastrado', 'Este e-mail já está cadastrado'))
    await fillAll()
    await create.click()
    await expect.element(field('E-mail')).toHaveAccessibleDescription('Este e-mail já está cadastrado')
    await expect.element(field('Senha')).toHaveValue('pao-quentinho')
  })

  it('shows a fault found by the server under its field', async () => {
    const detalhes = [{ caminho: 'email', mensagem: 'Email inválido' }]
    api.on('POST /auth/register', () => refusal(400, 'dadosInvalidos', 'Dados inválidos', { detalhes }))
    await fillAll()
    await create.click()
    await expect.element(field('E-mail')).toHaveAccessibleDescription('Email inválido')
  })

  it('shows its own sentence when the server sends none', async () => {
    api.on('POST /auth/register', () => ({ status: 500, body: null }))
    await fillAll()
    await create.click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Erro ao fazer cadastro\. Tente novamente\./)
  })

  it('shows that it is busy', async () => {
    const port = Promise.withResolvers<void>()
    api.on('POST /auth/register', async () => {
      await port.promise
      return refusal(500, 'interno', 'x')
    })
    await fillAll()
    await create.click()
    await expect.element(page.getByRole('button', { name: 'Criando conta...' })).toBeDisabled()
    port.resolve()
    await expect.element(create).toBeEnabled()
  })

  it('explains the approval before the button and rates the password', async () => {
    await expect.element(page.getByText(/Um administrador precisa aprovar a sua conta\./)).toBeVisible()
    const hint = [
      ['abc', 'Use pelo menos 6 caracteres.'],
      ['aaaaaaaaaaaaaaaa', 'Força da senha: fraca.'],
      ['Pao-de-queijo-7', 'Força da senha: forte.'],
    ] as const
    for (const [password, sentence] of hint) {
      await field('Senha').fill(password)
      await expect.element(page.getByText(sentence)).toBeVisible()
    }
  })
})

describe('Closed sign-up', () => {
  it('replaces the form with a link to the login', async () => {
    close()
    api.on('GET /auth/opcoes', () => ok({ permitirAutoRegistro: false, email: true }))
    close = openApp('/register')
    await expect.element(page.getByRole('heading', { name: 'Cadastro fechado por enquanto' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Entrar' })).toBeVisible()
    await expect.element(create).not.toBeInTheDocument()
    await expectAccessible()
  })

  it('closes when the answer says so', async () => {
    api.on('POST /auth/register', () => refusal(403, 'cadastroFechado', 'O cadastro de novas contas está fechado.'))
    await fillAll()
    await create.click()
    await expect.element(page.getByRole('heading', { name: 'Cadastro fechado por enquanto' })).toBeVisible()
  })
})

it('passes axe with a fault', async () => {
  await create.click()
  await expect.element(field('Nome')).toHaveAccessibleDescription('Nome é obrigatório')
  await expectAccessible()
})
