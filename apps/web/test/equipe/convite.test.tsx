import '../dashboard/fake-socket.ts'
import { defaultConfig } from '@balcao/contract/defaults'
import { BOT_STATUS_INICIAL } from '@balcao/contract/bot-status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'
import { openApp } from '#test/render.tsx'
import { makeOperadorUsuario } from './equipe-panel.ts'

const CONVITE = { empresa: 'Padaria Aurora', email: 'bruno@aurora.com.br', expiraEm: '2099-11-17T12:00:00.000Z' }
const LINK = '/redefinir-senha?token=abc&convite=1'

let api: FakeApi
let close = (): void => undefined

beforeEach(() => {
  api = fakeApi({
    'GET /auth/convite': () => ok(CONVITE),
    'POST /auth/redefinir-senha': () => ({ status: 204 }),
  })
})
afterEach(() => {
  close()
  api.restore()
})

const password = page.getByLabelText('Sua senha', { exact: true })
const confirm = page.getByLabelText('Confirmar senha', { exact: true })

async function criarSenha(): Promise<void> {
  await password.fill('bolo-de-fuba')
  await confirm.fill('bolo-de-fuba')
  await page.getByRole('button', { name: 'Criar senha' }).click()
}

describe('Invitation', () => {
  it('sets a password, logs in and opens the conversas', async () => {
    const usuario = makeOperadorUsuario()
    api.on('POST /auth/login', () => ok({ token: 't', usuario }))
    api.on('GET /auth/eu', () => ok({ usuario }))
    api.on('GET /config', () => ok({ sucesso: true, config: { ...defaultConfig(), versao: 1 } }))
    api.on('GET /bot/status', () => ok(BOT_STATUS_INICIAL))
    api.on('GET /atendimento/conversas', () => ok({ conversas: [] }))
    api.on('GET /atendimento/setores', () => ok({ setores: defaultConfig().atendimento.setores }))
    close = openApp(LINK)
    await expect.element(page.getByRole('heading', { name: 'Crie sua senha para atender' })).toBeVisible()
    await expect.element(page.getByText(/^Padaria Aurora convidou você .* até 17\/11\/2099\.$/)).toBeVisible()
    await expect.element(page.getByLabelText('Seu e-mail')).toHaveValue('bruno@aurora.com.br')
    await expectAccessible()
    await criarSenha()
    await expect.element(page.getByText('Agora entre com o e-mail do convite.')).toBeVisible()
    expect(api.calls.find(({ route }) => route === 'POST /auth/redefinir-senha')?.body).toEqual({
      token: 'abc',
      senha: 'bolo-de-fuba',
    })
    await page.getByLabelText('E-mail').fill('bruno@aurora.com.br')
    await page.getByLabelText('Senha', { exact: true }).fill('bolo-de-fuba')
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect.element(page.getByRole('heading', { level: 1, name: 'Atendimento' })).toBeVisible()
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
  })

  it.each([
    ['was used', 410, 'conviteUsado', 'Este convite já foi usado ou trocado por um mais novo.'],
    ['expired', 410, 'conviteVencido', 'O prazo deste convite terminou.'],
    ['is unknown', 404, 'conviteNaoEncontrado', 'Não encontramos este convite.'],
  ] as const)('explains the next step for an invitation that %s', async (_nome, status, code, error) => {
    api.on('GET /auth/convite', () => refusal(status, code, error))
    close = openApp(LINK)
    await expect.element(page.getByRole('heading', { name: 'Este convite não vale mais' })).toBeVisible()
    await expect.element(page.getByText(new RegExp(`^${error}`))).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Entrar' })).toHaveAttribute('href', '/login')
    await expect
      .element(page.getByRole('link', { name: 'Pedir outro link' }))
      .toHaveAttribute('href', '/forgot-password')
    await expectAccessible()
  })

  it('reports an invitation that ends while open, and an incomplete link', async () => {
    api.on('POST /auth/redefinir-senha', () => refusal(400, 'tokenInvalido', 'Este link é inválido ou já expirou.'))
    close = openApp(LINK)
    await expect.element(password).toBeVisible()
    await criarSenha()
    await expect.element(page.getByText(/trocado por um mais novo/)).toBeVisible()
    close()
    close = openApp('/redefinir-senha?convite=1')
    await expect.element(page.getByText(/^O link veio incompleto/)).toBeVisible()
  })

  it('waits for the invitation and retries when the server does not answer', async () => {
    api.on('GET /auth/convite', () => refusal(429, 'muitasTentativas', 'Muitas tentativas. Aguarde um pouco.'))
    close = openApp(LINK)
    await expect.element(page.getByText('Muitas tentativas. Aguarde um pouco.')).toBeVisible()
    let release = (): void => undefined
    const demora = new Promise<void>((ready) => (release = ready))
    api.on('GET /auth/convite', async () => {
      await demora
      return ok({ ...CONVITE, empresa: '' })
    })
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    release()
    await expect.element(page.getByText(/^Você recebeu um convite para conversar/)).toBeVisible()
  })
})
