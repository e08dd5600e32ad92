import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'
import { makeUsuario, openApp } from '#test/render.tsx'

let api: FakeApi
let close = (): void => undefined

const session = () => ok({ token: 'novo', usuario: makeUsuario(), expiraEm: '2026-01-01T00:00:00.000Z' })

function challenge(metodos = ['totp', 'recuperacao'], lastsMs = 290_000): void {
  api.on('POST /auth/login', () => {
    const expiraEm = new Date(Date.now() + lastsMs).toISOString()
    return { status: 202, body: { desafio: 'd1', metodos, expiraEm } }
  })
}

beforeEach(() => {
  api = fakeApi({ 'GET /auth/eu': () => ok({ usuario: makeUsuario() }), 'POST /auth/segundo-fator': session })
})
afterEach(() => {
  close()
  api.restore()
})

const code = page.getByLabelText('Código de 6 números')
const password = page.getByLabelText('Senha', { exact: true })

async function attempt(): Promise<void> {
  close = openApp('/login')
  await page.getByLabelText('E-mail').fill('ana@aurora.com.br')
  await password.fill('pao-quentinho')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
}

const proofs = () => api.calls.filter(({ route }) => route === 'POST /auth/segundo-fator').map(({ body }) => body)

function paste(text: string): void {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  code.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}

describe('Second step of the login', () => {
  it('focuses the code and enters at the sixth digit', async () => {
    challenge()
    await attempt()
    await expect.element(code).toHaveFocus()
    await expect.element(code).toHaveAttribute('inputmode', 'numeric')
    await expect.element(code).toHaveAttribute('autocomplete', 'one-time-code')
    expect(localStorage.getItem('token')).toBeNull()
    await userEvent.keyboard('123456')
    await expect.poll(() => location.pathname).toBe('/dashboard')
    expect(proofs()).toEqual([{ desafio: 'd1', codigo: '123456' }])
    expect(localStorage.getItem('token')).toBe('novo')
  })

  it('accepts a pasted code with spaces and dashes', async () => {
    challenge()
    await attempt()
    await expect.element(code).toHaveFocus()
    paste(' 123-4 56\n')
    await expect.poll(() => location.pathname).toBe('/dashboard')
    expect(proofs()).toEqual([{ desafio: 'd1', codigo: '123456' }])
  })

  it('says what to do after a wrong code and keeps the step', async () => {
    const erro = 'O código está incorreto. Confira se a data e a hora do celular estão certas e digite o código atual.'
    challenge()
    api.on('POST /auth/segundo-fator', () => refusal(403, 'codigoIncorreto', erro))
    await attempt()
    await code.fill('000000')
    await expect.element(page.getByRole('alert')).toMatchTextContent(/data e a hora do celular/)
    await expect.element(code).toHaveValue('')
    await expect.element(code).toHaveFocus()
  })

  it('accepts a recovery code', async () => {
    challenge()
    await attempt()
    await page.getByRole('button', { name: 'Usar um código de recuperação' }).click()
    await expect.element(page.getByLabelText('Código de recuperação')).toHaveFocus()
    await userEvent.keyboard('ABCD-EFGH-JKMN{Enter}')
    await expect.poll(() => location.pathname).toBe('/dashboard')
    expect(proofs()).toEqual([{ desafio: 'd1', recuperacao: 'ABCD-EFGH-JKMN' }])
  })

  it('goes back to the password, with the e-mail, when the attempts are over', async () => {
    challenge()
    api.on('POST /auth/segundo-fator', () => refusal(403, 'desafioVencido', 'O tempo acabou.'))
    await attempt()
    await code.fill('000000')
    await expect.element(page.getByText('O tempo ou as tentativas acabaram')).toBeVisible()
    await expect.element(page.getByLabelText('E-mail')).toHaveValue('ana@aurora.com.br')
    await expect.element(password).toHaveValue('')
  })

  it('goes back to the password when the time is over', async () => {
    challenge(['totp'], 2_000)
    await attempt()
    await expect.element(page.getByText('O tempo ou as tentativas acabaram')).toBeVisible()
  })

  it('offers only what the person has, and a way back', async () => {
    challenge([])
    await attempt()
    await expect.element(page.getByText('Nenhuma forma de confirmar funciona neste navegador')).toBeVisible()
    await page.getByRole('button', { name: 'Voltar' }).click()
    await expect.element(password).toBeVisible()
    await expect.element(page.getByText('O tempo ou as tentativas acabaram')).not.toBeInTheDocument()
  })

  it('passes axe', async () => {
    challenge(['totp', 'passkey', 'recuperacao'])
    await attempt()
    await expect.element(code).toBeVisible()
    await expectAccessible()
  })
})

describe('Passkey on the login', () => {
  const opcoes = { challenge: 'AAAA', rpId: location.hostname, timeout: 1_000, userVerification: 'required' }

  it('says that a cancelled passkey can be tried again', async () => {
    api.on('POST /auth/passkey/opcoes', () => ok({ desafio: 'p1', opcoes, expiraEm: '2099-01-01T00:00:00.000Z' }))
    vi.spyOn(navigator.credentials, 'get').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
    close = openApp('/login')
    await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click()
    await expect.element(page.getByText(/A chave de acesso não foi usada/).first()).toBeVisible()
    expect(location.pathname).toBe('/login')
  })
})
