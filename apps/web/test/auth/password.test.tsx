import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'
import { openApp, storeSession, makeUsuario } from '#test/render.tsx'

let api: FakeApi
let close = (): void => undefined

beforeEach(() => {
  api = fakeApi()
})
afterEach(() => {
  close()
  api.restore()
})

const fresh = page.getByLabelText('Nova senha', { exact: true })
const confirm = page.getByLabelText('Confirmar senha', { exact: true })
const save = page.getByRole('button', { name: 'Salvar nova senha' })

describe('Forgotten password', () => {
  it('requests a link and shows the server’s answer', async () => {
    const mensagem = 'Se este e-mail estiver cadastrado, você receberá um link para redefinir a senha.'
    api.on('POST /auth/esqueci-senha', () => ({ status: 202, body: { mensagem } }))
    close = openApp('/forgot-password')
    await page.getByLabelText('E-mail').fill(' ana@aurora.com.br ')
    await page.getByRole('button', { name: 'Enviar o link' }).click()
    await expect.element(page.getByText(mensagem)).toBeVisible()
    expect(api.calls.at(-1)?.body).toEqual({ email: 'ana@aurora.com.br' })
    await expectAccessible()
    await page.getByRole('button', { name: 'Usar outro e-mail ou enviar de novo' }).click()
    await expect.element(page.getByLabelText('E-mail')).toBeVisible()
  })

  it('promises no mail without a mail server', async () => {
    api.on('GET /auth/opcoes', () => ok({ permitirAutoRegistro: true, email: false }))
    close = openApp('/forgot-password')
    await expect.element(page.getByText('Este servidor não envia e-mails')).toBeVisible()
    expect(page.getByRole('button', { name: 'Enviar o link' }).query()).toBeNull()
    await expectAccessible()
  })

  it('requires the e-mail first and shows a refusal', async () => {
    api.on('POST /auth/esqueci-senha', () => refusal(429, 'muitasTentativas', 'Muitas tentativas.', { tentarEmS: 30 }))
    close = openApp('/forgot-password')
    const send = page.getByRole('button', { name: 'Enviar o link' })
    await send.click()
    await expect.element(page.getByLabelText('E-mail')).toHaveAccessibleDescription('Email é obrigatório')
    await page.getByLabelText('E-mail').fill('ana@aurora.com.br')
    await send.click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Você pode tentar de novo em 1 minuto\./)
  })
})

describe('Password reset', () => {
  async function choose(password: string, other = password): Promise<void> {
    await fresh.fill(password)
    await confirm.fill(other)
    await save.click()
  }

  it('changes the password with the link’s token and opens the login', async () => {
    api.on('POST /auth/redefinir-senha', () => ({ status: 204 }))
    close = openApp('/redefinir-senha?token=abc')
    await choose('bolo-de-fuba')
    await expect.element(page.getByText('Senha redefinida')).toBeVisible()
    await expect.element(page.getByText('Senha alterada com sucesso!')).toBeVisible()
    expect(location.pathname).toBe('/login')
    const request = api.calls.find(({ route }) => route === 'POST /auth/redefinir-senha')
    expect(request?.body).toEqual({ token: 'abc', senha: 'bolo-de-fuba' })
  })

  it('ends the session of this browser too', async () => {
    api.on('GET /auth/eu', () => ok({ usuario: makeUsuario() }))
    api.on('POST /auth/redefinir-senha', () => ({ status: 204 }))
    storeSession()
    close = openApp('/redefinir-senha?token=abc')
    await choose('bolo-de-fuba')
    await expect.element(page.getByText('Senha redefinida')).toBeVisible()
    expect(localStorage.getItem('token')).toBeNull()
  })

  it('applies the password rules of the sign-up', async () => {
    close = openApp('/redefinir-senha?token=abc')
    await choose('12345')
    await expect.element(fresh).toHaveAccessibleDescription(/Senha deve ter pelo menos 6 caracteres/)
    await choose('123456', '654321')
    await expect.element(confirm).toHaveAccessibleDescription('Senhas não coincidem')
    expect(api.calls).toEqual([])
    await expectAccessible()
  })

  it.each([
    ['a used link', '/redefinir-senha?token=velho'],
    ['an incomplete link', '/redefinir-senha'],
  ])('offers another link after %s', async (_nome, address) => {
    api.on('POST /auth/redefinir-senha', () => refusal(400, 'tokenInvalido', 'Este link é inválido ou já expirou.'))
    close = openApp(address)
    if (address.includes('token')) await choose('bolo-de-fuba')
    await expect.element(page.getByRole('heading', { name: 'Este link não vale mais' })).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Pedir outro link' }))
      .toHaveAttribute('href', '/forgot-password')
    await expectAccessible()
  })
})
