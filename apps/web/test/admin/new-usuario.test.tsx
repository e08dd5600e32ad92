import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import toast from 'react-hot-toast/headless'
import { refusal } from '#test/fake-api.ts'
import { type AdminTestApp, makeUsuarioAdmin, openAdmin, SELF } from './server.ts'

const ANA = makeUsuarioAdmin('ana', 'Ana Ribeiro')

let open: AdminTestApp | null = null
afterEach(() => {
  open?.close()
  toast.remove()
})

function abrir(): AdminTestApp {
  open = openAdmin('/admin?aba=usuarios', { usuarios: [ANA, SELF] })
  return open
}

const janela = page.getByRole('dialog', { name: 'Novo usuário' })
const aviso = page.getByRole('status').filter({ hasText: 'Usuário criado com sucesso!' })

describe('Admin: new usuario', () => {
  it('validates each field, then creates the usuario', async () => {
    const screen = abrir()
    await page.getByRole('button', { name: 'Novo usuário' }).click()
    await janela.getByRole('button', { name: 'Criar usuário' }).click()
    await expect.element(janela.getByText('Nome é obrigatório')).toBeVisible()
    await expect.element(janela.getByLabelText('Nome')).toHaveFocus()
    await janela.getByLabelText('Nome').fill('Dora Reis')
    await janela.getByLabelText('E-mail').fill('ana@loja.com.br')
    await janela.getByLabelText('Telefone').fill('11987654321')
    await janela.getByLabelText('Senha').fill('123')
    await janela.getByRole('button', { name: 'Criar usuário' }).click()
    await expect.element(janela.getByText('Senha deve ter pelo menos 6 caracteres')).toBeVisible()
    await janela.getByLabelText('Senha').fill('segredo')
    screen.api.on('POST /admin/usuarios', () => refusal(409, 'emailJaCadastrado', 'Este e-mail já está cadastrado'))
    await janela.getByRole('button', { name: 'Criar usuário' }).click()
    await expect.element(janela.getByText('Este e-mail já está cadastrado')).toBeVisible()
    await expect.element(janela.getByLabelText('E-mail')).toHaveFocus()
    const dora = makeUsuarioAdmin('dora', 'Dora Reis')
    screen.api.on('POST /admin/usuarios', () => {
      screen.server.usuarios = [dora, ...screen.server.usuarios]
      return { status: 201, body: { usuario: dora } }
    })
    await janela.getByLabelText('E-mail').fill('dora@loja.com.br')
    await expect.element(janela.getByLabelText('Plano')).toHaveDisplayValue('Sem plano aplicado (padrão)')
    await expect.element(janela.getByText(/^O limite inicial das Configurações/)).toBeVisible()
    await janela.getByLabelText('Plano').selectOptions('doacao')
    await expect
      .element(janela.getByText('1.000 mensagens/dia · IA incluída · menu sem limite · até 3 linhas'))
      .toBeVisible()
    await janela.getByRole('button', { name: 'Criar usuário' }).click()
    await expect.element(aviso).toBeVisible()
    await expect.element(page.getByRole('row', { name: /Dora Reis/ })).toBeVisible()
    expect(screen.api.calls.findLast(({ route }) => route === 'POST /admin/usuarios')?.body).toEqual({
      nome: 'Dora Reis',
      email: 'dora@loja.com.br',
      telefone: '11987654321',
      empresa: '',
      senha: 'segredo',
      tipo: 'usuario',
      plano: 'doacao',
    })
  })

  it('sends no plan unless one is chosen', async () => {
    const screen = abrir()
    screen.api.on('POST /admin/usuarios', () => ({ status: 201, body: { usuario: ANA } }))
    await page.getByRole('button', { name: 'Novo usuário' }).click()
    await janela.getByLabelText('Nome').fill('Dora Reis')
    await janela.getByLabelText('E-mail').fill('dora@loja.com.br')
    await janela.getByLabelText('Senha').fill('segredo')
    await janela.getByRole('button', { name: 'Criar usuário' }).click()
    await expect.element(aviso).toBeVisible()
    const sent = screen.api.calls.findLast(({ route }) => route === 'POST /admin/usuarios')?.body
    expect(sent).not.toHaveProperty('plano')
  })
})
