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
import { JOURNAL_CRASH_POINTS } from '#bot/falha.ts'
import { waitUntil } from '#test/bot/house.ts'
import { startProgram, type Program } from '#test/bot/programa.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

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
let rede: FakeServer
let celular: FakePhone
let impresso = ''
let clientes = 0
const iniciados: Promise<Program>[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-quedas-')
  rede = await createFakeServer()
  celular = createFakePhone(rede, { numero: '5511990000001', lid: '100000000000001', nome: 'Floricultura' })
})
afterAll(async () => {
  for (const um of await Promise.allSettled(iniciados)) if (um.status === 'fulfilled') await um.value.kill()
  await rede.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

function iniciar(falha?: string): Promise<Program> {
  const env = { WHATSAPP_WS_URL: rede.url, LOG_LEVEL: 'debug' }
  const programa = startProgram({ database, dataDir, crashPoint: falha, env, onOutput: (pedaco) => (impresso += pedaco) })
  iniciados.push(programa)
  return programa
}

const statusDe = async ({ request }: Program): Promise<unknown> => (await request('GET', '/bot/status')).body['status']

async function parear(programa: Program): Promise<void> {
  const { config } = configRespostaSchema.parse((await programa.request('GET', '/config')).body)
  const whatsapp = { ...config.whatsapp, clientId: 'loja', conector: 'whatsapp' }
  await programa.request('PUT', '/config', { ...config, whatsapp, menu: { ...config.menu, digitando: false } })
  await programa.request('POST', '/bot/iniciar')
  await waitUntil(async () => (await statusDe(programa)) === 'AGUARDANDO_QR')
  await celular.scan(String((await programa.request('GET', '/bot/status')).body['qrCode']))
  await waitUntil(async () => (await statusDe(programa)) === 'CONECTADO')
}

function novoCliente(): FakeCustomer {
  clientes += 1
  return createFakeCustomer(rede, { numero: `55119800000${clientes}`, lid: `20000000000${clientes}`, nome: 'Zoé' })
}

const lidosPor = ({ received }: FakeCustomer): string[] => received.map(({ text }) => text)

/** Waits until all queues are empty, so the next program passes only crash points of its new work. */
async function assentar(): Promise<void> {
  const restam = 'select (select count(*) from saida) + (select count(*) from whatsapp_chegadas) as quantas'
  await waitUntil(async () => {
    const { rows } = await database.owner.query(restam)
    const naRede = [...celular.devices.values()].some(({ pending }) => pending.length > 0)
    return Number(rows[0]?.quantas) === 0 && !naRede
  })
}

describe('WhatsApp program killed at any crash point', () => {
  it('loses no message, answers each once and keeps the order', { timeout: 600_000 }, async () => {
    let programa = await iniciar()
    await parear(programa)
    const modelo = novoCliente()
    for (const texto of TEXTOS) await modelo.say(celular, texto)
    await modelo.nth(5)
    const esperado = lidosPor(modelo)
    await assentar()
    await programa.kill()

    for (const ponto of PONTOS) {
      programa = await iniciar(`${ponto}:2`)
      await waitUntil(async () => (await statusDe(programa)) === 'CONECTADO')
      const cliente = novoCliente()
      for (const texto of TEXTOS) await cliente.say(celular, texto)
      expect(await programa.exited, ponto).toBe('SIGKILL')
      programa = await iniciar()
      await cliente.nth(esperado.length)
      expect(lidosPor(cliente), ponto).toEqual(esperado)
      await assentar()
      await programa.kill()
    }
  })

  it('prints no key and no customer text', () => {
    expect(impresso).not.toBe('')
    expect(impresso).not.toMatch(/SessionEntry|privKey|rootKey|chainKey|noiseKey|advSecret|<Buffer/)
    expect(impresso).not.toContain('hein?')
  })
})
