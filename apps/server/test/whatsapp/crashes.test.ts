import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import {
  type FakePhone,
  type FakeCustomer,
  createFakePhone,
  createFakeCustomer,
  createFakeServer,
  type FakeServer,
} from '@balcao/whatsapp/rede-falsa'
import { JOURNAL_CRASH_POINTS } from '#lib/crash-points.ts'
import { startProgram, type Program } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { waitUntil } from '#test/app.ts'

/** The real program with the real library, killed with SIGKILL at crash points and restarted. */

const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })
/**
 * Crash points before and after the ratchet is written, before and after the bot stores the message, and during an
 * answer.
 */
const PONTOS = [...JOURNAL_CRASH_POINTS, 'entrada.recebida', 'entrada.apos-commit', 'saida.enviada', 'saida.marcada']
const TEXTOS = ['oi', '4', 'hein?']

let database: TestDatabase
let dataDir: string
let network: FakeServer
let celular: FakePhone
let impresso = ''
let clientes = 0
const started: Promise<Program>[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-quedas-')
  network = await createFakeServer()
  celular = createFakePhone(network, { numero: '5511990000001', lid: '100000000000001', nome: 'Floricultura' })
})
afterAll(async () => {
  for (const um of await Promise.allSettled(started)) if (um.status === 'fulfilled') await um.value.kill()
  await network.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

function iniciar(failure?: string): Promise<Program> {
  const env = { WHATSAPP_WS_URL: network.url, LOG_LEVEL: 'debug' }
  const program = startProgram({
    database,
    dataDir,
    crashPoint: failure,
    env,
    onOutput: (chunk) => (impresso += chunk),
  })
  started.push(program)
  return program
}

const statusDe = async ({ request }: Program): Promise<unknown> => (await request('GET', '/bot/status')).body['status']

async function parear(program: Program): Promise<void> {
  const { config } = configRespostaSchema.parse((await program.request('GET', '/config')).body)
  const whatsapp = { ...config.whatsapp, clientId: 'loja', conector: 'whatsapp' }
  await program.request('PUT', '/config', { ...config, whatsapp, menu: { ...config.menu, digitando: false } })
  await program.request('POST', '/bot/iniciar')
  await waitUntil(async () => (await statusDe(program)) === 'AGUARDANDO_QR')
  await celular.scan(String((await program.request('GET', '/bot/status')).body['qrCode']))
  await waitUntil(async () => (await statusDe(program)) === 'CONECTADO')
}

function novoCliente(): FakeCustomer {
  clientes += 1
  return createFakeCustomer(network, { numero: `55119800000${clientes}`, lid: `20000000000${clientes}`, nome: 'Zoé' })
}

const lidosPor = ({ received }: FakeCustomer): string[] => received.map(({ text }) => text)

/** Waits until all queues are empty, so the next program passes only crash points of its new work. */
async function assentar(): Promise<void> {
  const left = 'select (select count(*) from saida) + (select count(*) from whatsapp_chegadas) as quantas'
  await waitUntil(async () => {
    const { rows } = await database.owner.query(left)
    const naRede = [...celular.devices.values()].some(({ pending }) => pending.length > 0)
    return Number(rows[0]?.quantas) === 0 && !naRede
  })
}

describe('WhatsApp program killed at any crash point', () => {
  it('loses no message, answers each once and keeps the order', { timeout: 600_000 }, async () => {
    let program = await iniciar()
    await parear(program)
    const modelo = novoCliente()
    for (const texto of TEXTOS) await modelo.say(celular, texto)
    await modelo.nth(5)
    const expected = lidosPor(modelo)
    await assentar()
    await program.kill()

    for (const point of PONTOS) {
      program = await iniciar(`${point}:2`)
      await waitUntil(async () => (await statusDe(program)) === 'CONECTADO')
      const cliente = novoCliente()
      for (const texto of TEXTOS) await cliente.say(celular, texto)
      expect(await program.exited, point).toBe('SIGKILL')
      program = await iniciar()
      await cliente.nth(expected.length)
      expect(lidosPor(cliente), point).toEqual(expected)
      await assentar()
      await program.kill()
    }
  })

  it('prints no key and no customer text', () => {
    expect(impresso).not.toBe('')
    expect(impresso).not.toMatch(/SessionEntry|privKey|rootKey|chainKey|noiseKey|advSecret|<Buffer/)
    expect(impresso).not.toContain('hein?')
  })
})
