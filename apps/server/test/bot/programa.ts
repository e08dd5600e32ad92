import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestDatabase } from '#test/database.ts'
import { type Casa, entrar } from './casa.ts'

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

async function portaLivre(): Promise<number> {
  return new Promise((resolve) => {
    const servidor = createServer().listen(0, '127.0.0.1', () => {
      const endereco = servidor.address()
      servidor.close(() => resolve(endereco !== null && typeof endereco === 'object' ? endereco.port : 0))
    })
  })
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
  return {
    url,
    pedir: await entrar(url),
    morreu,
    matar: async () => {
      processo.kill('SIGKILL')
      await morreu
    },
    encerrar: async () => {
      processo.kill('SIGTERM')
      await morreu
      return processo.exitCode
    },
  }
}
