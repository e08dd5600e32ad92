import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encerrarPerfil } from './processos.ts'

/** Browser profile folders. A profile holds the linked phone's session, so access to it is access to the phone. */
export interface Perfis {
  readonly pasta: (contaId: string) => string
  /**
   * Prepares the folder: ends leftover processes and restricts it to the server's user. `vazia` deletes the content
   * of an ended link.
   */
  readonly preparar: (contaId: string, opcoes: { readonly vazia: boolean }) => Promise<PerfilPronto>
  readonly apagar: (contaId: string) => Promise<void>
  readonly listar: () => Promise<string[]>
}

export interface PerfilPronto {
  readonly pasta: string
  readonly encerrados: number
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** A killed browser leaves these locks, and the next one then believes that it still runs. */
const TRAVAS = ['SingletonLock', 'SingletonCookie', 'SingletonSocket']
const APAGAR = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const

export function createPerfis(dir: string): Perfis {
  const pasta = (contaId: string): string => {
    if (!UUID.test(contaId)) throw new Error('invalid account id')
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
