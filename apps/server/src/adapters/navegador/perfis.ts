import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encerrarPerfil } from './processos.ts'

/** The folders in which browsers keep the linked phones: whoever has one of them is that phone's session. */
export interface Perfis {
  readonly pasta: (contaId: string) => string
  /** A folder that nobody uses, of this server's user alone. `vazia`: what was there belongs to a link that is over. */
  readonly preparar: (contaId: string, opcoes: { readonly vazia: boolean }) => Promise<PerfilPronto>
  /** Also ends whatever still runs on it. */
  readonly apagar: (contaId: string) => Promise<void>
  /** Accounts that have a folder here. */
  readonly listar: () => Promise<string[]>
}

export interface PerfilPronto {
  readonly pasta: string
  /** Processes that a server which crashed had left behind. */
  readonly encerrados: number
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** A browser that was killed leaves them, and the next one believes that it still runs. */
const TRAVAS = ['SingletonLock', 'SingletonCookie', 'SingletonSocket']
const APAGAR = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const

export function createPerfis(dir: string): Perfis {
  const pasta = (contaId: string): string => {
    if (!UUID.test(contaId)) throw new Error('not the id of an account')
    return join(dir, contaId)
  }
  const apagar = async (contaId: string): Promise<void> => {
    await encerrarPerfil(pasta(contaId))
    await rm(pasta(contaId), APAGAR)
  }
  return {
    pasta,
    apagar,
    preparar: async (contaId, { vazia }) => {
      const lugar = pasta(contaId)
      const encerrados = await encerrarPerfil(lugar)
      if (vazia) await rm(lugar, APAGAR)
      await mkdir(lugar, { recursive: true, mode: 0o700 })
      await chmod(dir, 0o700)
      await chmod(lugar, 0o700)
      await Promise.all(TRAVAS.map((trava) => rm(join(lugar, trava), { force: true })))
      return { pasta: lugar, encerrados }
    },
    listar: async () => (await readdir(dir).catch(() => [])).filter((nome) => UUID.test(nome)),
  }
}
