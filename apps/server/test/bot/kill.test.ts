import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { PONTOS_FALHA } from '#bot/falha.ts'
import { configSchema } from '@balcao/contract/entities/config'
import { mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { ate } from './house.ts'
import { iniciarPrograma, type Programa } from './programa.ts'

/** The real program in a process of its own, killed with SIGKILL at named instants and started again. */

const listaSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

let database: TestDatabase
let dataDir: string

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-kill-')
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const iniciar = (falha?: string): Promise<Programa> => iniciarPrograma({ database, dataDir, falha })

/** A service delivers until it is told that the message is stored. */
async function entregar(programa: () => Promise<Programa>, mensagem: Record<string, unknown>): Promise<void> {
  await ate(async () => {
    try {
      const { status } = await (await programa()).pedir('POST', '/simulador/mensagens', mensagem)
      return status === 202
    } catch {
      return false
    }
  })
}

async function connected({ pedir }: Programa): Promise<void> {
  await ate(async () => (await pedir('GET', '/bot/status')).body['status'] === 'CONECTADO')
}

async function preparar(): Promise<void> {
  const programa = await iniciar()
  const { config } = configRespostaSchema.parse((await programa.pedir('GET', '/config')).body)
  await programa.pedir('PUT', '/config', { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja' } })
  await programa.pedir('POST', '/bot/iniciar')
  await ate(async () => (await programa.pedir('POST', '/simulador/escanear')).status === 200)
  await programa.matar()
}

async function chat({ pedir }: Programa, telefone: string): Promise<string[]> {
  const { body } = await pedir('GET', `/simulador/mensagens?telefone=${telefone}`)
  return listaSchema.parse(body).mensagens.map(({ de, texto }) => `${de}: ${texto}`)
}

describe('a server killed at any instant', () => {
  it(
    'comes back connected, loses no accepted message, answers none twice, and keeps the order',
    { timeout: 120_000 },
    async () => {
      await preparar()
      // What an undisturbed conversation looks like.
      let programa = await iniciar()
      await connected(programa)
      for (const [indice, texto] of ['oi', '4', 'hein?', '4'].entries()) {
        await entregar(async () => programa, { telefone: '11900000000', nome: 'Zoé', texto, id: `modelo-${indice}` })
      }
      const modelo = await ate(async () => {
        const lida = await chat(programa, '11900000000')
        return lida.length >= 10 ? lida : null
      })
      await programa.matar()

      for (const [vez, ponto] of PONTOS_FALHA.entries()) {
        const telefone = `1190000100${vez}`
        programa = await iniciar(`${ponto}:3`)
        await connected(programa)
        let renascido: Promise<Programa> | undefined
        const atual = async (): Promise<Programa> => renascido ?? programa
        void programa.morreu.then(() => (renascido = iniciar()))
        for (const [indice, texto] of ['oi', '4', 'hein?', '4'].entries()) {
          await entregar(atual, { telefone, nome: 'Zoé', texto, id: `${randomUUID()}-${indice}` })
        }
        expect(await programa.morreu, ponto).toBe('SIGKILL')
        const depois = await ate(atual)
        await connected(depois)
        const lida = await ate(async () => {
          const agora = await chat(depois, telefone)
          return agora.length >= modelo.length ? agora : null
        })
        expect(lida, ponto).toEqual(modelo)
        await depois.matar()
      }
    },
  )
})
