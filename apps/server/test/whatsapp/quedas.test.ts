import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import {
  type Celular,
  type ClienteFalso,
  createCelular,
  createCliente,
  createServidor,
  type ServidorFalso,
} from '@balcao/whatsapp/rede-falsa'
import { PONTOS_CHEGADA } from '#bot/falha.ts'
import { ate } from '#test/bot/house.ts'
import { iniciarPrograma, type Programa } from '#test/bot/programa.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

/** The real program with the real library, killed with SIGKILL at crash points and restarted. */

const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })
/**
 * Crash points before and after the ratchet is written, before and after the bot stores the message, and during an
 * answer.
 */
const PONTOS = [...PONTOS_CHEGADA, 'entrada.recebida', 'entrada.apos-commit', 'saida.enviada', 'saida.marcada']
const TEXTOS = ['oi', '4', 'hein?']

let database: TestDatabase
let dataDir: string
let rede: ServidorFalso
let celular: Celular
let impresso = ''
let clientes = 0
const iniciados: Promise<Programa>[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-quedas-')
  rede = await createServidor()
  celular = createCelular(rede, { numero: '5511990000001', lid: '100000000000001', nome: 'Floricultura' })
})
afterAll(async () => {
  for (const um of await Promise.allSettled(iniciados)) if (um.status === 'fulfilled') await um.value.matar()
  await rede.fechar()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

function iniciar(falha?: string): Promise<Programa> {
  const env = { WHATSAPP_WS_URL: rede.url, LOG_LEVEL: 'debug' }
  const programa = iniciarPrograma({ database, dataDir, falha, env, ouvir: (pedaco) => (impresso += pedaco) })
  iniciados.push(programa)
  return programa
}

const statusDe = async ({ pedir }: Programa): Promise<unknown> => (await pedir('GET', '/bot/status')).body['status']

async function parear(programa: Programa): Promise<void> {
  const { config } = configRespostaSchema.parse((await programa.pedir('GET', '/config')).body)
  const whatsapp = { ...config.whatsapp, clientId: 'loja', conector: 'whatsapp' }
  await programa.pedir('PUT', '/config', { ...config, whatsapp, menu: { ...config.menu, digitando: false } })
  await programa.pedir('POST', '/bot/iniciar')
  await ate(async () => (await statusDe(programa)) === 'AGUARDANDO_QR')
  await celular.escanear(String((await programa.pedir('GET', '/bot/status')).body['qrCode']))
  await ate(async () => (await statusDe(programa)) === 'CONECTADO')
}

function novoCliente(): ClienteFalso {
  clientes += 1
  return createCliente(rede, { numero: `55119800000${clientes}`, lid: `20000000000${clientes}`, nome: 'Zoé' })
}

const lidosPor = ({ recebidas }: ClienteFalso): string[] => recebidas.map(({ texto }) => texto)

/** Waits until all queues are empty, so the next program passes only crash points of its new work. */
async function assentar(): Promise<void> {
  const restam = 'select (select count(*) from saida) + (select count(*) from whatsapp_chegadas) as quantas'
  await ate(async () => {
    const { rows } = await database.owner.query(restam)
    const naRede = [...celular.aparelhos.values()].some(({ pendentes }) => pendentes.length > 0)
    return Number(rows[0]?.quantas) === 0 && !naRede
  })
}

describe('WhatsApp program killed at any crash point', () => {
  it('loses no message, answers each once and keeps the order', { timeout: 600_000 }, async () => {
    let programa = await iniciar()
    await parear(programa)
    const modelo = novoCliente()
    for (const texto of TEXTOS) await modelo.diz(celular, texto)
    await modelo.nesima(5)
    const esperado = lidosPor(modelo)
    await assentar()
    await programa.matar()

    for (const ponto of PONTOS) {
      programa = await iniciar(`${ponto}:2`)
      await ate(async () => (await statusDe(programa)) === 'CONECTADO')
      const cliente = novoCliente()
      for (const texto of TEXTOS) await cliente.diz(celular, texto)
      expect(await programa.morreu, ponto).toBe('SIGKILL')
      programa = await iniciar()
      await cliente.nesima(esperado.length)
      expect(lidosPor(cliente), ponto).toEqual(esperado)
      await assentar()
      await programa.matar()
    }
  })

  it('prints no key and no customer text', () => {
    expect(impresso).not.toBe('')
    expect(impresso).not.toMatch(/SessionEntry|privKey|rootKey|chainKey|noiseKey|advSecret|<Buffer/)
    expect(impresso).not.toContain('hein?')
  })
})
