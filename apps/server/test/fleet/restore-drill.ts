import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { loginAt, PASSWORD, sendRequest, type TestUser, waitUntil } from '#test/app.ts'
import { freePort } from '#test/bot/program.ts'
import { chatOf, customerSays, givenWaitingCustomer } from '#test/builders.ts'
import { runCli } from '#test/db/fixtures/run-cli.ts'
import { startMailServer } from '#test/emails/mail-server.ts'
import { storeMensagens } from '#test/stored-mensagens.ts'
import type { ArchivedServer } from './archived-server.ts'
import { pause } from './faults.ts'
import { givenShop, Ledger } from './ledger.ts'
import type { LocalServer } from './local-server.ts'
import { at, type NodeProcess, startProcesses } from './processes.ts'

const [WAITING, ERASED] = ['5511987650001', '5511987650002']
const APP_SECRET = 'segredo-do-ensaio-com-quarenta-e-três-letras'
/** Data in the database besides those of the test. The disk needs about five times as much. */
const GIGABYTES = Number(process.env['RESTAURO_GB'] ?? 0)
const LIMIT_S = 600
/** Longer than the rounds in which nodes look for bots, mails and messages. */
const QUIET_MS = 8_000

type Open = (() => Promise<void>)[]
/** Connections to a server, and its DATABASE_URL. */
type Reachable = Pick<LocalServer, 'url' | 'connect'>

const rowsOf = async ({ connect }: Pick<LocalServer, 'connect'>, sql: string, values: unknown[] = []) => {
  const client = await connect()
  const { rows } = await client.query<Record<string, unknown>>(sql, values)
  await client.end()
  return rows
}

interface Damaged {
  /** Data folder for the restore, with the newest marks of erased customers. */
  readonly folder: string
  readonly email: string
  readonly conversaId: string
  /** The instant to restore. At it a message and mails wait, and the customer is not erased. */
  readonly instant: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Two nodes under load, a base backup, and after the instant an erasure and the sending of all that waited. */
async function playUntilDamage(archived: ArchivedServer, open: Open): Promise<Damaged> {
  const env = { APP_SECRET, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }
  const fleet = await startProcesses({ databaseUrl: archived.url, size: 2, env })
  open.push(fleet.close)
  const [node] = fleet.nodes
  if (node === undefined) throw new Error('no process started')
  const shop = await givenShop(node)
  if (GIGABYTES > 0) await fill(archived)
  const ledger = new Ledger(fleet.urls)
  const burst = ledger.burst([shop], { customers: 5, messages: 10, pauseMs: 200 })
  await archived.backUp()
  await burst.done
  const conversaId = await givenWaitingCustomer(at(node, shop), WAITING)
  await customerSays(at(node, shop), ERASED, 'me esqueça')
  await ledger.exact()
  await waitUntil(async () => (await rowsOf(archived, 'select 1 from saida')).length === 0)
  // The phone is in the process that has the bot.
  for (const one of fleet.nodes) await at(one, shop).request('POST', '/simulador/falhas', { envios: 100 })
  await shop.request('POST', `/atendimento/conversas/${conversaId}/mensagem`, { mensagem: 'da cópia' })
  await sendRequest(node.url, 'POST', '/auth/esqueci-senha', { body: { email: shop.usuario.email } })
  await waitUntil(async () => (await rowsOf(archived, 'select 1 from saida where tentativas > 0')).length === 1)
  await waitUntil(async () => (await rowsOf(archived, 'select 1 from emails where enviado_em is null')).length > 0)
  const before = [...ledger.acceptedIds()]
  const [{ instant } = {}] = await rowsOf(archived, 'select clock_timestamp()::text as instant')

  expect((await at(node, shop).request('DELETE', `/lgpd/titulares/${ERASED}`)).status).toBe(200)
  for (const one of fleet.nodes) await at(one, shop).request('POST', '/simulador/falhas', { envios: 0 })
  await waitUntil(async () => (await rowsOf(archived, 'select 1 from saida')).length === 0)
  await ledger.burst([shop], { customers: 3, messages: 3 }).done
  await archived.archive()
  const after = ledger.acceptedIds().slice(before.length)
  const folder = await givenFolder(node, open)
  await fleet.close()
  return { folder, email: shop.usuario.email, conversaId, instant: String(instant), before, after }
}

async function fill({ connect }: ArchivedServer): Promise<void> {
  const client = await connect()
  await storeMensagens(client, GIGABYTES * 2 ** 30)
  await client.end()
}

const sizeOf = async (server: Pick<LocalServer, 'connect'>): Promise<number> =>
  Number((await rowsOf(server, 'select pg_database_size(current_database()) as bytes'))[0]?.['bytes']) / 2 ** 30

async function givenFolder(node: NodeProcess, open: Open): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-restauro-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
  await copyFile(join(node.dataDir, 'apagados'), join(folder, 'apagados'))
  return folder
}

async function expectLedger(server: Reachable, { before, after }: Damaged): Promise<void> {
  const sql = 'select id_externo as id from mensagens where id_externo = any ($1)'
  const kept = (await rowsOf(server, sql, [before])).map(({ id }) => String(id))
  expect(kept.toSorted()).toEqual(before.toSorted())
  expect(await rowsOf(server, sql, [after])).toEqual([])
}

/**
 * Plays a restore to an instant and the product on its result: nothing leaves before the consent, and a customer erased
 * after the instant stays erased. `open` receives what the caller closes, last first.
 */
export async function playRestoreDrill(archived: ArchivedServer, open: Open): Promise<void> {
  const damaged = await playUntilDamage(archived, open)
  const gigabytes = await sizeOf(archived)
  await archived.crash()

  const startedAt = performance.now()
  const restored = await archived.restoreTo(damaged.instant)
  const { folder } = damaged
  const env = { APP_SECRET, DATABASE_URL: restored.url }
  const marked = await runCli(folder, ['restaurada', new Date(damaged.instant).toISOString()], env)
  expect(marked).toMatchObject({ code: 0, dito: expect.stringMatching(/Mensagens à espera: 1\. E-mails: [1-9]/) })
  // The wait before the next attempt has passed.
  await rowsOf(restored, 'update emails set proxima_em = now() where enviado_em is null')
  const mails = await startMailServer()
  open.push(mails.close)
  const own = { APP_SECRET, SMTP_URL: mails.url, DATA_DIR: folder }
  const fleet = await startProcesses({ databaseUrl: restored.url, size: 1, env: own })
  open.push(fleet.close)
  const seconds = (performance.now() - startedAt) / 1_000
  process.stdout.write(`restauro: ${gigabytes.toFixed(2)} GiB in ${seconds.toFixed(1)} s\n`)
  expect(seconds).toBeLessThan(LIMIT_S)

  const [{ url } = { url: '' }] = fleet.nodes
  const shop = await loginAt(url, damaged.email, PASSWORD)
  const motivo = async (): Promise<unknown> => (await shop.request('GET', '/bot/status')).body['motivo']
  await waitUntil(async () => (await motivo()) === 'copiaRestaurada')
  await pause(QUIET_MS)
  expect(mails.received).toEqual([])
  expect(await stateOf(shop, damaged.conversaId)).toEqual({ texto: 'da cópia', estado: 'pendente', onPhone: 0 })
  expect((await shop.request('GET', `/lgpd/titulares/${ERASED}`)).status).toBe(404)
  expect((await shop.request('GET', `/lgpd/titulares/${WAITING}`)).status).toBe(200)
  await expectLedger(restored, damaged)

  expect(await runCli(folder, ['liberar', '--enviar'], env)).toMatchObject({ code: 0 })
  await waitUntil(async () => (await stateOf(shop, damaged.conversaId)).estado === 'enviada')
  expect(await stateOf(shop, damaged.conversaId)).toMatchObject({ onPhone: 1 })
  await waitUntil(() => mails.received.length > 0)
}

/** The last mensagem of the conversa, and how often the customer's phone shows it. */
async function stateOf(shop: TestUser, conversaId: string) {
  const { body } = await shop.request('GET', `/atendimento/conversas/${conversaId}/mensagens`)
  const { texto, estado } = mensagensDaConversaRoute.response.parse(body).mensagens.at(-1) ?? {}
  const onPhone = (await chatOf(shop, WAITING)).filter((one) => one.de !== 'cliente' && one.texto === texto)
  return { texto, estado, onPhone: onPhone.length }
}
