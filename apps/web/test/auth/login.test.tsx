import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
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

const email = page.getByLabelText('E-mail')
const password = page.getByLabelText('Senha', { exact: true })
const enter = page.getByRole('button', { name: 'Entrar', exact: true })

function accept(usuario = makeUsuario()): void {
  api.on('POST /auth/login', () => ok({ token: 'novo', usuario, expiraEm: '2026-01-01T00:00:00.000Z' }))
  api.on('GET /auth/eu', () => ok({ usuario }))
}

async function attempt(): Promise<void> {
  await email.fill('ana@aurora.com.br')
  await password.fill('pao-quentinho')
  await enter.click()
}

describe('Login', () => {
  it('opens the dashboard for an owner and greets by name', async () => {
    accept()
    close = openApp('/login')
    await attempt()
    await expect.poll(() => location.pathname).toBe('/dashboard')
    await expect
      .element(page.getByText('Login realizado com sucesso! Bem-vindo, Ana Ribeiro!', { exact: true }).first())
      .toBeVisible()
    expect(localStorage.getItem('token')).toBe('novo')
  })

  it('opens the admin area for an administrator', async () => {
    accept(makeUsuario({ tipo: 'admin' }))
    close = openApp('/login')
    await attempt()
    await expect.poll(() => location.pathname).toBe('/admin')
  })

  it('asks for a remembered session only when the box is checked', async () => {
    api.on('POST /auth/login', () => refusal(401, 'credenciaisInvalidas', 'E-mail ou senha incorretos'))
    close = openApp('/login')
    await attempt()
    await expect.element(page.getByRole('alert')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Lembrar-me' }).click()
    await enter.click()
    const requests = () => api.calls.filter(({ route }) => route === 'POST /auth/login').map(({ body }) => body)
    const corpo = { email: 'ana@aurora.com.br', senha: 'pao-quentinho' }
    await expect.poll(requests).toEqual([
      { ...corpo, lembrar: false },
      { ...corpo, lembrar: true },
    ])
  })

  it('shows that it is busy and refuses a second click', async () => {
    const port = Promise.withResolvers<void>()
    api.on('POST /auth/login', async () => {
      await port.promise
      return refusal(401, 'credenciaisInvalidas', 'E-mail ou senha incorretos')
    })
    close = openApp('/login')
    await attempt()
    await expect.element(page.getByRole('button', { name: 'Entrando...' })).toBeDisabled()
    port.resolve()
    await expect.element(enter).toBeEnabled()
  })

  it('shows and hides the password', async () => {
    close = openApp('/login')
    await password.fill('segredo')
    await expect.element(password).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Mostrar o que foi digitado' }).click()
    await expect.element(password).toHaveAttribute('type', 'text')
  })
})

describe('Refused login', () => {
  it('keeps the page and the typed values after a wrong password, with focus', async () => {
    api.on('POST /auth/login', () => refusal(401, 'credenciaisInvalidas', 'E-mail ou senha incorretos'))
    close = openApp('/login')
    await attempt()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/E-mail ou senha incorretos/)
    expect(location.pathname).toBe('/login')
    await expect.element(email).toHaveValue('ana@aurora.com.br')
    await expect.element(password).toHaveFocus()
  })

  it('shows its own sentence when the server sends none', async () => {
    api.on('POST /auth/login', () => ({ status: 500, body: 'nada' }))
    close = openApp('/login')
    await attempt()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Erro ao fazer login\. Tente novamente\./)
  })

  it('reads the sentence from message when erro is missing', async () => {
    api.on('POST /auth/login', () => ({ status: 401, body: { message: 'Senha errada' } }))
    close = openApp('/login')
    await attempt()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Senha errada/)
  })

  it('reports an unreachable server', async () => {
    api.on('POST /auth/login', () => Promise.reject(new TypeError('Failed to fetch')))
    close = openApp('/login')
    await attempt()
    await expect
      .element(page.getByRole('alert'))
      .toMatchTextContent(/Erro de rede: Verifique se o servidor está rodando/)
  })

  it('explains that the account waits for approval, without alarm', async () => {
    const sentence = 'Sua conta aguarda aprovação do administrador.'
    api.on('POST /auth/login', () => refusal(403, 'contaPendente', sentence))
    close = openApp('/login')
    await attempt()
    await expect.element(page.getByRole('status').filter({ hasText: sentence })).toBeVisible()
    await expect.poll(() => page.getByRole('alert').elements()).toHaveLength(0)
  })

  it('explains that the account is inactive, without alarm', async () => {
    api.on('POST /auth/login', () => refusal(403, 'contaInativa', 'Sua conta está inativa.'))
    close = openApp('/login?aviso=aguardando')
    await attempt()
    const painel = page.getByRole('status').filter({ hasText: 'Sua conta está inativa.' })
    await expect.element(painel).toMatchTextContent(/Fale com o administrador/)
    await expect.element(page.getByText('Aguardando aprovação')).not.toBeInTheDocument()
    await expect.poll(() => page.getByRole('alert').elements()).toHaveLength(0)
  })

  it('shows the waiting time after too many attempts', async () => {
    api.on('POST /auth/login', () => refusal(429, 'muitasTentativas', 'Muitas tentativas.', { tentarEmS: 130 }))
    close = openApp('/login')
    await attempt()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Você pode tentar de novo em 3 minutos\./)
  })

  it('requires both fields without calling the server', async () => {
    close = openApp('/login')
    await enter.click()
    await expect.element(email).toHaveAccessibleDescription('Email é obrigatório')
    await expect.element(email).toHaveFocus()
    await email.fill('ana@aurora.com.br')
    await userEvent.keyboard('{Enter}')
    await expect.element(password).toHaveAccessibleDescription('Senha é obrigatória')
    expect(api.calls.filter(({ route }) => route.startsWith('POST'))).toEqual([])
  })
})

describe('Login: links and redirects', () => {
  it('shows the pending approval after sign-up, even after a reload', async () => {
    close = openApp('/login?aviso=aguardando')
    await expect.element(page.getByText('Aguardando aprovação')).toBeVisible()
    close()
    close = openApp(location.pathname + location.search)
    const range = page.getByRole('status').filter({ hasText: 'Aguardando aprovação' })
    await expect.element(range).toMatchTextContent(/Aguarde aprovação do administrador\./)
  })

  it('links to the sign-up unless the administrator closed it', async () => {
    const create = page.getByRole('link', { name: 'Criar conta' })
    api.on('GET /auth/opcoes', () => ok({ permitirAutoRegistro: true, email: true }))
    close = openApp('/login')
    await expect.element(create).toHaveAttribute('href', '/register')
    close()
    api.on('GET /auth/opcoes', () => ok({ permitirAutoRegistro: false, email: true }))
    close = openApp('/login')
    await expect.element(page.getByText('Fale com o administrador.')).toBeVisible()
    await expect.element(create).not.toBeInTheDocument()
  })

  it('links to the password reset', async () => {
    close = openApp('/login')
    await page.getByRole('link', { name: 'Esqueci a senha' }).click()
    await expect.element(page.getByRole('heading', { name: 'Esqueci a senha' })).toBeVisible()
    expect(location.pathname).toBe('/forgot-password')
  })

  it('explains the administrator link to visitors', async () => {
    close = openApp('/login')
    await page.getByRole('link', { name: 'Ir para o painel do administrador' }).click()
    await expect.element(page.getByText('Entre com uma conta de administrador para continuar.')).toBeVisible()
    expect(location.pathname).toBe('/login')
  })

  it('redirects a visitor from the dashboard to the login', async () => {
    close = openApp('/dashboard')
    await expect.poll(() => location.pathname).toBe('/login')
  })

  it('returns to the requested page after the login', async () => {
    const usuario = makeUsuario()
    api.on('POST /auth/login', () => ok({ token: 't', usuario, expiraEm: '2099-01-01T00:00:00.000Z' }))
    api.on('GET /auth/eu', () => ok({ usuario }))
    close = openApp('/dashboard?aba=mensagens&c=abc')
    await page.getByLabelText('E-mail').fill('ana@aurora.com.br')
    await page.getByLabelText('Senha', { exact: true }).fill('pao-quentinho')
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect.poll(() => location.pathname).toBe('/dashboard')
    expect(new URLSearchParams(location.search).get('aba')).toBe('mensagens')
    expect(new URLSearchParams(location.search).get('c')).toBe('abc')
  })

  it.each(['https://example.test/', '//example.test', '/dashboardx', '/login'])(
    'ignores the return address %s',
    async (para) => {
      const usuario = makeUsuario()
      api.on('POST /auth/login', () => ok({ token: 't', usuario, expiraEm: '2099-01-01T00:00:00.000Z' }))
      api.on('GET /auth/eu', () => ok({ usuario }))
      close = openApp(`/login?para=${encodeURIComponent(para)}`)
      await page.getByLabelText('E-mail').fill('ana@aurora.com.br')
      await page.getByLabelText('Senha', { exact: true }).fill('pao-quentinho')
      await page.getByRole('button', { name: 'Entrar', exact: true }).click()
      await expect.poll(() => location.pathname).toBe('/dashboard')
    },
  )

  it('redirects an owner from the admin area to the dashboard', async () => {
    api.on('GET /auth/eu', () => ok({ usuario: makeUsuario() }))
    storeSession()
    close = openApp('/admin')
    await expect.poll(() => location.pathname).toBe('/dashboard')
  })

  it('ends a session that the server revoked and says why', async () => {
    api.on('GET /auth/eu', () => refusal(401, 'semSessao', 'Sua sessão terminou. Entre novamente.'))
    storeSession()
    close = openApp('/dashboard')
    await expect.element(page.getByText('Sua sessão terminou')).toBeVisible()
    await expect.element(page.getByText(/^Entre novamente. Se você não conseguir/)).toBeVisible()
    expect(location.pathname).toBe('/login')
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('user')).toBeNull()
  })

  it.for([
    ['{"nome":"Ana Segredo"', 'SyntaxError'],
    ['{"nome":"Ana Segredo"}', 'TypeError'],
  ] as const)('clears the stored user %s and logs one line without its values', async ([stored, name]) => {
    localStorage.setItem('token', 't')
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    localStorage.setItem('user', stored)
    close = openApp('/dashboard')
    await expect.poll(() => location.pathname).toBe('/login')
    expect(localStorage.getItem('token')).toBeNull()
    expect(logged.mock.calls).toEqual([['stored user not read, session cleared', name]])
    logged.mockRestore()
  })
})

describe('Login: accessibility', () => {
  it('passes axe on opening and with its notice', async () => {
    close = openApp('/login?aviso=aguardando')
    await expect.element(page.getByRole('heading', { name: 'Entrar no painel' })).toBeVisible()
    await expectAccessible()
  })

  it('passes axe with a refusal', async () => {
    api.on('POST /auth/login', () => refusal(401, 'credenciaisInvalidas', 'E-mail ou senha incorretos'))
    close = openApp('/login')
    await attempt()
    await expect.element(page.getByRole('alert')).toBeVisible()
    await expectAccessible()
  })
})
