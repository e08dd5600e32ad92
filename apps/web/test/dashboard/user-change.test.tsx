import { makeUsuario } from '#test/render.tsx'
import { fakeSocket } from './fake-socket.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ok } from '#test/fake-api.ts'
import {
  aviso,
  emitCustomerMensagem,
  composer,
  waitForSocket,
  openName,
  setupAtendimento,
} from '#test/atendimento/tab.ts'
import { makeConfig } from './panel.tsx'

/** Several people use one browser: the next person must find no data of the previous one. */

const open = setupAtendimento()
const menu = page.getByRole('complementary')
const leave = page.getByRole('button', { name: 'Sair' })
const icon = (): string | null | undefined => document.querySelector('link[rel=icon]')?.getAttribute('href')
const BRUNO = makeUsuario({ id: 'u2', contaId: 'conta-2', nome: 'Bruno Reis', email: 'bruno@mercado.com.br' })

async function entrar(): Promise<void> {
  await page.getByLabelText('E-mail').fill('bruno@mercado.com.br')
  await page.getByRole('textbox', { name: 'Senha' }).fill('segredo123')
  await page.getByRole('button', { name: 'Entrar' }).click()
}

it('clears notices and counts on logout without waiting for the server', async () => {
  const { api, server } = open({}, '/dashboard?aba=mensagens')
  await waitForSocket()
  await expect.poll(icon).toBe('/icon-aviso.svg')
  emitCustomerMensagem('c1', { texto: 'Meu CPF é 123' })
  await expect.element(page.getByRole('button', { name: /Central de avisos, 1 não lido/ })).toBeVisible()
  await page.getByRole('button', { name: 'Fechar aviso' }).click()
  api.on('POST /auth/logout', () => new Promise(() => undefined))
  await leave.click()
  await expect.poll(() => location.pathname).toBe('/login')
  expect(localStorage.getItem('token')).toBeNull()
  await expect.poll(icon).toBe('/icon.svg')
  server.usuario = BRUNO
  api.on('POST /auth/login', () => ok({ token: 't2', usuario: BRUNO }))
  await entrar()
  await expect.element(menu.getByText('Bruno Reis')).toBeVisible()
  await page.getByRole('button', { name: /Central de avisos/ }).click()
  await expect.element(page.getByRole('region', { name: 'Central de avisos' })).toBeVisible()
  await expect.poll(() => page.getByText(/Meu CPF/).query()).toBeNull()
})

it('repeats a logout that did not reach the server, with a hash that opens no session', async () => {
  const { api } = open()
  await waitForSocket()
  const offline = (): never => {
    throw new TypeError('Failed to fetch')
  }
  api.on('POST /auth/logout', offline)
  api.on('POST /auth/logout-tardio', offline)
  await leave.click()
  await expect.poll(() => location.pathname).toBe('/login')
  // SHA-256 of the token `t`.
  const sessao = 'e3b98a4da31a127d4bde6e43033f66ba274cab0eb7eb1c70ec41402bf6273dd8'
  await expect.poll(() => localStorage.getItem('saidas')).toBe(sessao)
  expect(Object.values(localStorage)).not.toContain('t')
  const repeats = () => api.calls.filter(({ route }) => route === 'POST /auth/logout-tardio')
  dispatchEvent(new Event('online'))
  await expect.poll(repeats).toHaveLength(1)
  expect(localStorage.getItem('saidas')).toBe(sessao)

  api.on('POST /auth/logout-tardio', () => ({ status: 204 }))
  open({}, '/login')
  await expect.poll(() => localStorage.getItem('saidas')).toBeNull()
})

it('leaves no copy on logout, also when an answer arrives later', async () => {
  const copies = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith('copia:'))
  const { api, server } = open()
  const { atendimento } = server.config
  const manaus = { ...atendimento, horario: { ...atendimento.horario, fuso: 'America/Manaus' } }
  await waitForSocket()
  await expect.poll(() => copies().toSorted()).toEqual(['copia:config:conta-1', 'copia:conversas:conta-1'])
  await page.getByRole('link', { name: 'Geral' }).click()
  const late = Promise.withResolvers<void>()
  api.on('PUT /config', async () => {
    await late.promise
    return ok({ sucesso: true, config: { ...server.config, atendimento: manaus } })
  })
  await page.getByLabelText('Client ID').fill('outro')
  await page.getByRole('button', { name: 'Salvar', exact: true }).first().click()
  await expect.poll(() => api.calls.some(({ route }) => route === 'PUT /config')).toBe(true)
  await leave.click()
  await expect.poll(() => location.pathname).toBe('/login')
  expect(copies()).toEqual([])
  late.resolve()
  await expect.element(aviso('Configurações salvas com sucesso!')).toBeVisible()
  expect(copies()).toEqual([])
})

it('ignores a late answer about the previous user', async () => {
  const { api, server } = open()
  await waitForSocket()
  let reply = (): void => undefined
  const wait = new Promise<void>((resolve) => (reply = resolve))
  const ana = server.usuario
  api.on('GET /auth/eu', async () => {
    await wait
    return ok({ usuario: ana })
  })
  fakeSocket.drop()
  await expect.element(page.getByRole('banner').getByText(/Reconectando|Offline/)).toBeVisible()
  fakeSocket.restore()
  await waitForSocket()
  await expect.poll(() => api.calls.filter(({ route }) => route === 'GET /auth/eu').length).toBe(2)
  await leave.click()
  await expect.poll(() => location.pathname).toBe('/login')
  api.on('GET /auth/eu', () => ok({ usuario: BRUNO }))
  api.on('POST /auth/login', () => ok({ token: 't2', usuario: BRUNO }))
  await entrar()
  await expect.element(menu.getByText('Bruno Reis')).toBeVisible()
  reply()
  // Gives the late answer time to arrive.
  await waitForSocket()
  await expect.element(menu.getByText('Bruno Reis')).toBeVisible()
  expect(localStorage.getItem('user')).toContain('"contaId":"conta-2"')
})

it('discards drafts and data when another tab logs in another user', async () => {
  // The menu of a wide window shows the name beside the inbox.
  await page.viewport(1536, 800)
  const { api, server } = open({}, '/dashboard?aba=atendimento&c=c2')
  await waitForSocket()
  await expect.element(openName('João Pedro Alves')).toBeVisible()
  await composer.fill('Seu saldo é de R$ 900')
  server.usuario = BRUNO
  server.config = makeConfig('mercado-bruno', 3)
  api.on('GET /atendimento/conversas', () => new Promise(() => undefined))
  localStorage.setItem('user', JSON.stringify(BRUNO))
  localStorage.setItem('token', 't2')
  dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: 't2' }))
  await expect.element(menu.getByText('Bruno Reis')).toBeVisible()
  await expect.poll(() => page.getByText('Studio Bela Vista').query()).toBeNull()
  expect(page.getByText('João Pedro Alves').query()).toBeNull()
  expect(Object.keys(sessionStorage).filter((chave) => chave.startsWith('rascunho:'))).toEqual([])
})
