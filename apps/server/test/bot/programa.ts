import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { type MensagemSimulada, mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type Casa, entrar } from './casa.ts'
import { ate } from './house.ts'

// The product's entry point with its compile cache, because these tests start dozens of processes.
const MAIN = join(import.meta.dirname, '..', '..', 'start.mjs')

export interface Programa {
  readonly url: string
  readonly pedir: Casa['pedir']
  readonly morreu: Promise<string | null>
  readonly matar: () => Promise<void>
  readonly encerrar: () => Promise<number | null>
}

/** Returns a free port below the ephemeral range, so that the system does not assign it to a connection meanwhile. */
async function portaLivre(): Promise<number> {
  const porta = randomInt(10_000, 20_000)
  const livre = await new Promise<boolean>((resolve) => {
    const servidor = createServer()
    servidor.once('error', () => resolve(false))
    servidor.listen(porta, '127.0.0.1', () => servidor.close(() => resolve(true)))
  })
  return livre ? porta : portaLivre()
}

export interface ProgramaOptions {
  readonly database: TestDatabase
  readonly dataDir: string
  readonly falha?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  readonly ouvir?: (pedaco: string) => void
}

const noAr = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    (resposta) => resposta.ok,
    () => false,
  )

export async function iniciarPrograma({
  database,
  dataDir,
  falha,
  env = {},
  ouvir,
}: ProgramaOptions): Promise<Programa> {
  const porta = await portaLivre()
  const banco = inject('banco')
  const { target } = database
  const nome = 'database' in target ? target.database : ''
  const processo: ChildProcess = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(porta),
      DATA_DIR: dataDir,
      DATABASE_URL: `postgresql://${banco.user}@/${nome}?host=${encodeURIComponent(banco.host)}`,
      ADMIN_EMAIL: 'dona@loja.test',
      ADMIN_SENHA: 'senha-da-dona',
      LOG_LEVEL: 'error',
      ...(falha === undefined ? {} : { FALHA: falha }),
      ...env,
    },
    stdio: ouvir === undefined ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  })
  for (const fluxo of [processo.stdout, processo.stderr]) fluxo?.on('data', (pedaco) => ouvir?.(String(pedaco)))
  const morreu = new Promise<string | null>((resolve) => processo.once('exit', (_codigo, sinal) => resolve(sinal)))
  const url = `http://127.0.0.1:${porta}`
  while (!(await noAr(url))) {
    const fim = processo.exitCode ?? processo.signalCode
    if (fim !== null) throw new Error(`program exited with ${fim}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const matar = async (): Promise<void> => {
    processo.kill('SIGKILL')
    await morreu
  }
  const pedir = await entrar(url).catch(async (falhou: unknown) => {
    await matar()
    throw falhou
  })
  return {
    ...{ url, pedir, morreu, matar },
    encerrar: async () => {
      processo.kill('SIGTERM')
      await morreu
      return processo.exitCode
    },
  }
}

const listaSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

/** A database and a data folder per test file, shared by all processes that it starts. */
export interface Palco {
  readonly database: TestDatabase
  readonly dataDir: string
  readonly iniciar: (falha?: string) => Promise<Programa>
  /** Leaves a bot connected to the simulador by a process that was killed. */
  readonly preparar: () => Promise<void>
}

export function usarPalco(): () => Palco {
  let palco: Palco | undefined
  const iniciados: Promise<Programa>[] = []
  beforeAll(async () => {
    const database = await createTestDatabase()
    const dataDir = await mkdtemp('/tmp/balcao-programa-')
    const iniciar = async (falha?: string): Promise<Programa> => {
      // A timed-out test keeps running after its file has finished.
      if (palco === undefined) throw new Error('program fixture already removed')
      const programa = iniciarPrograma({ database, dataDir, falha })
      iniciados.push(programa)
      return programa
    }
    palco = { database, dataDir, iniciar, preparar: async () => preparar(await iniciar()) }
  })
  afterAll(async () => {
    const ultimo = palco
    palco = undefined
    for (const um of await Promise.allSettled(iniciados)) if (um.status === 'fulfilled') await um.value.matar()
    await ultimo?.database.drop()
    if (ultimo !== undefined) await rm(ultimo.dataDir, { recursive: true, force: true })
  })
  return () => {
    if (palco === undefined) throw new Error('program fixture not ready before the first test')
    return palco
  }
}

async function preparar({ pedir, matar }: Programa): Promise<void> {
  const { config } = configRespostaSchema.parse((await pedir('GET', '/config')).body)
  await pedir('PUT', '/config', { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja' } })
  await pedir('POST', '/bot/iniciar')
  await ate(async () => (await pedir('POST', '/simulador/escanear')).status === 200)
  await matar()
}

export async function conectado({ pedir }: Programa): Promise<void> {
  await ate(async () => (await pedir('GET', '/bot/status')).body['status'] === 'CONECTADO')
}

export async function noTelefone({ pedir }: Programa, telefone: string): Promise<readonly MensagemSimulada[]> {
  return listaSchema.parse((await pedir('GET', `/simulador/mensagens?telefone=${telefone}`)).body).mensagens
}
