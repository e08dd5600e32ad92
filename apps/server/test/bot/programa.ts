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

// The door of the product, with its cache of compiled modules: a program is started dozens of times here.
const MAIN = join(import.meta.dirname, '..', '..', 'start.mjs')

export interface Programa {
  readonly url: string
  readonly pedir: Casa['pedir']
  readonly morreu: Promise<string | null>
  readonly matar: () => Promise<void>
  /** Asks it to end, as a supervisor does; gives its exit code. */
  readonly encerrar: () => Promise<number | null>
}

/**
 * A port nobody listens on, below those that the system lends for connections: nobody is lent it between this look and the
 * program's own.
 */
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
  /** `ponto:n`: it dies at the n-th pass of that point. */
  readonly falha?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  /** Told all that the program prints. */
  readonly ouvir?: (pedaco: string) => void
}

const noAr = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    (resposta) => resposta.ok,
    () => false,
  )

/** Starts the real program on a port of its own and logs in. */
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
  // Until it is up, however slow the machine; one that ended instead will never be.
  while (!(await noAr(url))) {
    const fim = processo.exitCode ?? processo.signalCode
    if (fim !== null) throw new Error(`the program ended with ${fim}`)
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

/** One database and one folder for a file of tests, which outlive every program that dies over them. */
export interface Palco {
  readonly database: TestDatabase
  readonly dataDir: string
  /** `falha`: where this one dies. */
  readonly iniciar: (falha?: string) => Promise<Programa>
  /** A bot that is connected to the simulator, left by a program that was killed. */
  readonly preparar: () => Promise<void>
}

/** Sets the stage before the tests of the file, and takes it away after them. */
export function usarPalco(): () => Palco {
  let palco: Palco | undefined
  const iniciados: Promise<Programa>[] = []
  beforeAll(async () => {
    const database = await createTestDatabase()
    const dataDir = await mkdtemp('/tmp/balcao-programa-')
    const iniciar = async (falha?: string): Promise<Programa> => {
      // A test whose time was over goes on after the end of its file.
      if (palco === undefined) throw new Error('the stage is gone')
      const programa = iniciarPrograma({ database, dataDir, falha })
      iniciados.push(programa)
      return programa
    }
    palco = { database, dataDir, iniciar, preparar: async () => preparar(await iniciar()) }
  })
  afterAll(async () => {
    const ultimo = palco
    palco = undefined
    // A test that failed left one behind.
    for (const um of await Promise.allSettled(iniciados)) if (um.status === 'fulfilled') await um.value.matar()
    await ultimo?.database.drop()
    if (ultimo !== undefined) await rm(ultimo.dataDir, { recursive: true, force: true })
  })
  return () => {
    if (palco === undefined) throw new Error('the stage is set before the first test')
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

/** The bot came back by itself. */
export async function conectado({ pedir }: Programa): Promise<void> {
  await ate(async () => (await pedir('GET', '/bot/status')).body['status'] === 'CONECTADO')
}

/** What stands on a customer's phone. */
export async function noTelefone({ pedir }: Programa, telefone: string): Promise<readonly MensagemSimulada[]> {
  return listaSchema.parse((await pedir('GET', `/simulador/mensagens?telefone=${telefone}`)).body).mensagens
}
