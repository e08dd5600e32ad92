import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loginAt } from '#test/app.ts'
import { databaseUrl, type Program, type ProgramOptions, startProgram } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

/** The tests build on each other, in one database. */

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.ts')
const EMAIL = 'chefe@loja.test'
const FRESH = { ADMIN_EMAIL: EMAIL, ADMIN_SENHA: '' }

let database: TestDatabase
let dataDir = ''
let senha = ''
let program: Program | undefined
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-primeiro-')
})
afterAll(async () => {
  await program?.kill()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(options: Partial<ProgramOptions>): Promise<Program> {
  program = await startProgram({ database, dataDir, env: FRESH, ...options })
  return program
}

async function newPassword(...args: string[]): Promise<{ code: number | null; said: string; senha: string }> {
  const child = spawn(process.execPath, [CLI, 'senha', ...args], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl(database) },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
  await once(child, 'close')
  return { code: child.exitCode, said, senha: printed(said) }
}

const printed = (said: string): string => /mostrada só agora\): (\S+)/.exec(said)?.[1] ?? ''

it('prints the first password even if the port is taken, and it logs in later', async () => {
  const occupant = createServer((socket) => socket.destroy())
  await once(occupant.listen(0, '127.0.0.1'), 'listening')
  const address = occupant.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  let said = ''
  await expect(start({ port, onOutput: (chunk) => (said += chunk) })).rejects.toThrow('program exited with 1')
  occupant.close()
  senha = printed(said)
  expect(said).toContain(`administrador: ${EMAIL}`)
  const { request } = await start({ port, login: { email: EMAIL, senha } })
  expect(await request('GET', '/auth/eu')).toMatchObject({ status: 200, body: { usuario: { email: EMAIL } } })
})

it('refuses a new password while a server runs', async () => {
  expect(await newPassword(EMAIL)).toMatchObject({ code: 1, said: expect.stringContaining('já está em uso') })
  const other = await mkdtemp('/tmp/balcao-primeiro-')
  const here = dataDir
  dataDir = other
  expect(await newPassword(EMAIL)).toMatchObject({ code: 1, said: expect.stringContaining('Outro Balcão já usa') })
  dataDir = here
  await rm(other, { recursive: true })
})

it('gives a stopped server’s administrator a new password and ends the sessions', async () => {
  await program?.terminate()
  const fresh = await newPassword(EMAIL.toUpperCase())
  expect(fresh.code).toBe(0)
  const { rows } = await database.owner.query('select revogada_em is null as viva from sessoes')
  expect(rows).toEqual([{ viva: false }])
  const { url, request } = await start({ login: { email: EMAIL, senha: fresh.senha } })
  await expect(loginAt(url, EMAIL, senha)).rejects.toThrow('401')
  expect(await request('GET', '/admin/auditoria?acao=senhaRedefinida')).toMatchObject({
    body: { atos: [{ quem: null, alvo: { email: EMAIL }, detalhe: expect.stringContaining('admin:senha') }] },
  })
  const dona = { nome: 'Dona', email: 'dona@loja.test', senha: 'pao-quente-da-casa' }
  expect(await request('POST', '/admin/usuarios', dona)).toMatchObject({ status: 201 })
})

it('removes the second factor of an administrator only when asked', async () => {
  await program?.terminate()
  const factor = async (): Promise<unknown> =>
    (await database.owner.query('select totp_segredo from usuarios where email = $1', [EMAIL])).rows[0]?.totp_segredo
  await database.owner.query(`update usuarios set totp_segredo = 'selado' where email = $1`, [EMAIL])
  expect(await newPassword(EMAIL)).toMatchObject({ code: 0 })
  expect(await factor()).toBe('selado')
  expect(await newPassword(EMAIL, '--sem')).toMatchObject({ code: 1, said: expect.stringContaining('Uso:') })
  expect(await newPassword(EMAIL, '--sem-segundo-fator')).toMatchObject({
    code: 0,
    said: expect.stringContaining('foi removida'),
  })
  expect(await factor()).toBeNull()
})

it.each([
  ['ninguem@loja.test', 'Nenhum usuário tem o e-mail'],
  ['dona@loja.test', 'não é administrador'],
  ['torto', 'não é um e-mail válido'],
])('refuses a new password for %s', async (email, sentence) => {
  await program?.terminate()
  expect(await newPassword(email)).toMatchObject({ code: 1, senha: '', said: expect.stringContaining(sentence) })
})

it('prints its usage without an e-mail', async () => {
  expect(await newPassword()).toMatchObject({ code: 1, said: expect.stringContaining('Uso: npm run admin:senha') })
})
