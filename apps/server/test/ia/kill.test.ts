import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configRoute } from '@balcao/contract/routes/config'
import { mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { PONTOS_IA } from '#bot/falha.ts'
import { ate } from '#test/bot/house.ts'
import { iniciarPrograma, type Programa } from '#test/bot/programa.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { CHAVE_BOA, createGeminiFalso, type GeminiFalso } from './gemini-falso.ts'

/** Runs the real program and kills it with SIGKILL during a question to the AI. */

let database: TestDatabase
let dataDir: string
let falso: GeminiFalso
const vivos: Programa[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-kill-ia-')
  falso = await createGeminiFalso()
  const programa = await iniciar()
  await preparar(programa)
  await programa.matar()
})
afterAll(async () => {
  for (const programa of vivos) await programa.matar()
  await falso.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(() => falso.esquecer())

async function iniciar(falha?: string): Promise<Programa> {
  const programa = await iniciarPrograma({ database, dataDir, falha, env: { GEMINI_BASE_URL: falso.url } })
  vivos.push(programa)
  return programa
}

async function preparar({ pedir }: Programa): Promise<void> {
  const { config } = configRoute.response.parse((await pedir('GET', '/config')).body)
  const { body, status } = await pedir('PUT', '/config', {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja' },
    gemini: { apiKey: CHAVE_BOA },
    ia: { ...config.ia, ativa: true, apiKey: CHAVE_BOA, esperaSegundos: 0 },
    menu: { ...config.menu, mensagens: { ...config.menu.mensagens, boasVindas: 'OLA' }, digitando: false },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  await pedir('POST', '/bot/iniciar')
  await ate(async () => (await pedir('POST', '/simulador/escanear')).status === 200)
}

async function ouviu({ pedir }: Programa, telefone: string): Promise<string[]> {
  const { body } = await pedir('GET', `/simulador/mensagens?telefone=${telefone}`)
  const { mensagens } = mensagensSimuladasRoute.response.parse(body)
  return mensagens.filter(({ de }) => de === 'bot').map(({ texto }) => texto)
}

async function connected({ pedir }: Programa): Promise<void> {
  await ate(async () => (await pedir('GET', '/bot/status')).body['status'] === 'CONECTADO')
}

describe('server killed during a question to the AI', () => {
  it.each(PONTOS_IA)(
    'answers the customer once after the restart, crash point %s',
    { timeout: 300_000 },
    async (ponto) => {
      const telefone = ponto === 'ia.antes' ? '11970000001' : '11970000002'
      const primeiro = await iniciar(`${ponto}:1`)
      await connected(primeiro)
      await primeiro.pedir('POST', '/simulador/mensagens', { telefone, nome: 'Ana', texto: 'assistente' })
      expect(await primeiro.morreu).toBe('SIGKILL')

      const segundo = await iniciar()
      await connected(segundo)
      await ate(async () => (await ouviu(segundo, telefone)).includes('ECO assistente'))
      await segundo.pedir('POST', '/simulador/mensagens', { telefone, nome: 'Ana', texto: 'e depois?' })
      await ate(async () => (await ouviu(segundo, telefone)).includes('ECO e depois?'))
      expect(await ouviu(segundo, telefone)).toEqual(['OLA', 'ECO assistente', 'ECO e depois?'])
      const { rows } = await database.owner.query('select 1 from perguntas_ia')
      expect(rows).toEqual([])
      const perguntas = falso.pedidos.map(({ pergunta }) => pergunta)
      expect(perguntas).toEqual([...(ponto === 'ia.antes' ? [] : ['assistente']), 'assistente', 'e depois?'])
      await segundo.matar()
    },
  )
})
