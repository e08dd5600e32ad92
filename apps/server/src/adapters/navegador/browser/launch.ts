import type { SessionHost } from '@balcao/connector/port'
import type { WebLibrary, WebClient } from './library.ts'
import { diagnoseLaunch } from './diagnosis.ts'
import { findExecutable } from './executable.ts'
import { classifyOpenFailure } from '#adapters/navegador/failures.ts'
import { type WebListeners, listenToClient } from './listen.ts'
import type { Profiles } from './profiles.ts'
import { withTimeout, TimedOut } from '#adapters/navegador/deadline.ts'
import { endProfileProcesses, memoryOf, findProfileProcesses } from './processes.ts'

/** One browser and its page, from launch until its last process has ended. */
export interface OpenBrowser {
  readonly client: WebClient
  /** Resolves when the page is loaded. Rejects like `initialize`, or with the reason why the browser does not start. */
  readonly load: () => Promise<void>
  readonly memory: () => Promise<number | null>
  /** Never rejects. Afterwards no event fires and no process runs. */
  readonly close: () => Promise<void>
}

export interface OpenBrowserOptions {
  readonly host: Pick<SessionHost, 'contaId' | 'chromePath'>
  readonly allowedPaths: readonly string[]
  readonly profiles: Profiles
  readonly library: WebLibrary
  readonly empty: boolean
  readonly on: WebListeners & { readonly caiu: () => void }
  readonly report: (error: unknown, oQue: string) => void
  readonly loadTimeoutMs: number
}

const SHUTDOWN_MS = 5_000

/** Chrome refuses to run as root with its sandbox on. */
export const withoutSandbox = process.getuid?.() === 0

/** Throws `FalhaDoNavegador` when the program is not allowed or does not run. */
export async function openBrowser(options: OpenBrowserOptions): Promise<OpenBrowser> {
  const { host, profiles, library, on, report } = options
  const executavel = await findExecutable(host.chromePath, options)
  const { folder: perfil, endedProcesses } = await profiles.prepare(host.contaId, options)
  if (endedProcesses > 0) report(`${endedProcesses} processes`, 'leftover browser processes ended')
  const abertura = { executable: executavel, profile: perfil, withoutSandbox: withoutSandbox }
  const cliente = library.createClient(abertura)
  const calar = listenToClient(cliente, on)
  let closed = false
  /** A browser still launching may come up after it was closed. Closing is then repeated. */
  let lancada = false
  let fim: Promise<void> | null = null

  const porque = async (error: unknown): Promise<unknown> => {
    if (closed || error instanceof TimedOut || classifyOpenFailure(error).motivo !== 'navegadorCaiu') return error
    await endProfileProcesses(perfil)
    return (await diagnoseLaunch(abertura)) ?? error
  }

  const finish = async (): Promise<void> => {
    closed = true
    calar()
    // A graceful shutdown lets Chrome finish its writes; processes that ignore it are killed.
    await withTimeout(cliente.destroy(), SHUTDOWN_MS).catch(() => undefined)
    await endProfileProcesses(perfil).catch((error: unknown) => report(error, 'browser not ended'))
  }

  return {
    client: cliente,
    load: async () => {
      try {
        await withTimeout(cliente.initialize(), options.loadTimeoutMs)
        lancada = true
      } catch (error) {
        throw await porque(error)
      }
      cliente.pupBrowser?.on('disconnected', () => {
        if (!closed) on.caiu()
      })
      if (cliente.pupBrowser?.isConnected() === false) on.caiu()
    },
    memory: async () => memoryOf(await findProfileProcesses(perfil)),
    close: () => {
      if (!lancada || fim === null) fim = finish()
      return fim
    },
  }
}
