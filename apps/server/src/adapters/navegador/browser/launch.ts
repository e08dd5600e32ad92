import { execFile } from 'node:child_process'
import { totalmem } from 'node:os'
import type { SessionHost } from '@balcao/connector/port'
import { BrowserFailure, classifyOpenFailure, TimedOut, withTimeout } from '#adapters/navegador/failures.ts'
import { findExecutable } from './executable.ts'
import { browserEnvironment, chromeArguments, type LaunchOptions, type WebClient, type WebLibrary } from './library.ts'
import { listenToClient, type WebListeners } from './listen.ts'
import { endProfileProcesses, findProfileProcesses, memoryOf } from './processes.ts'
import type { ProfileLocks, Profiles } from './profiles.ts'

export interface OpenBrowser {
  readonly client: WebClient
  readonly createFile: WebLibrary['createFile']
  readonly load: () => Promise<void>
  readonly memory: () => Promise<number | null>
  /** Never rejects. Afterwards no event fires and no process runs. */
  readonly close: () => Promise<void>
}

export interface OpenBrowserOptions {
  readonly host: Pick<SessionHost, 'linhaId' | 'chromePath'>
  readonly allowedPaths: readonly string[]
  /** Root runs Chrome without its sandbox only with the administrator's consent (`NAVEGADOR_COMO_ROOT`). */
  readonly runAsRoot: boolean
  readonly profiles: Profiles
  readonly library: WebLibrary
  readonly empty: boolean
  readonly on: WebListeners & { readonly crashed: () => void }
  readonly report: (error: unknown, event: string) => void
  readonly loadTimeoutMs: number
}

const SHUTDOWN_MS = 5_000
const DIAGNOSIS_MS = 20_000
/** About 500 MB for the browser, the rest for the server's work. */
const BYTES_PER_BROWSER = 600 * 2 ** 20

export const withoutSandbox = process.getuid?.() === 0

/** Throws `BrowserFailure` when the program is not allowed or does not run, or when root would run it unprotected. */
async function openBrowser(options: OpenBrowserOptions): Promise<OpenBrowser> {
  const { host, profiles, library, on, report } = options
  const home = profiles.folder(host.linhaId)
  const executable = await findExecutable(host.chromePath, { ...options, home })
  if (withoutSandbox && !options.runAsRoot) throw new BrowserFailure('navegadorSemProtecao', 'root without a sandbox')
  const { folder: profile, endedProcesses } = await profiles.prepare(host.linhaId, options)
  if (endedProcesses > 0) report(`${endedProcesses} processes`, 'leftover browser processes ended')
  const launch = { executable, profile, withoutSandbox }
  const client = library.createClient(launch)
  const stopListening = listenToClient(client, on)
  let closed = false
  /** A browser still launching may come up after it was closed. Closing is then repeated. */
  let launched = false
  let closing: Promise<void> | null = null

  const reasonOf = async (error: unknown): Promise<unknown> => {
    if (closed || error instanceof TimedOut || classifyOpenFailure(error).motivo !== 'navegadorCaiu') return error
    await endProfileProcesses(profile)
    return (await diagnoseLaunch(launch)) ?? error
  }

  const close = async (): Promise<void> => {
    closed = true
    stopListening()
    // A graceful shutdown lets Chrome finish its writes; processes that ignore it are killed.
    await withTimeout(client.destroy(), SHUTDOWN_MS).catch(() => undefined)
    await endProfileProcesses(profile).catch((error: unknown) => report(error, 'browser not ended'))
  }

  return {
    client,
    createFile: library.createFile,
    load: async () => {
      try {
        await withTimeout(client.initialize(), options.loadTimeoutMs)
        launched = true
      } catch (error) {
        throw await reasonOf(error)
      }
      client.pupBrowser?.on('disconnected', () => {
        if (!closed) on.crashed()
      })
      if (client.pupBrowser?.isConnected() === false) on.crashed()
    },
    memory: async () => memoryOf(await findProfileProcesses(profile)),
    close: () => {
      if (!launched || closing === null) closing = close()
      return closing
    },
  }
}

/**
 * Finds out why a browser did not open. Through the pipe the library gets no error text, so the browser is started
 * again with a blank page. Resolves with a launch error, or with null when the browser opens.
 */
export function diagnoseLaunch({ executable, profile, withoutSandbox }: LaunchOptions): Promise<Error | null> {
  const page = ['--headless=new', '--no-first-run', `--user-data-dir=${profile}`, '--dump-dom', 'about:blank']
  return new Promise((resolve) => {
    execFile(
      executable,
      [...chromeArguments({ withoutSandbox }), ...page],
      { timeout: DIAGNOSIS_MS, killSignal: 'SIGKILL', env: browserEnvironment(profile) },
      (error, stdout, stderr) => {
        if (error === null && stdout.includes('<html')) return resolve(null)
        resolve(new Error(`Failed to launch the browser process: ${error?.message ?? 'no page'}\n${stderr}`))
      },
    )
  })
}

export interface BrowserOpenerOptions extends Omit<OpenBrowserOptions, 'library' | 'empty' | 'on'> {
  readonly slots: BrowserSlots
  readonly profileLocks: ProfileLocks
  readonly loadLibrary: () => Promise<WebLibrary>
}

export class BrowserOpener {
  readonly #options: BrowserOpenerOptions
  #releaseProfile: (() => void) | null = null
  #releaseSlot: (() => void) | null = null

  constructor(options: BrowserOpenerOptions) {
    this.#options = options
  }

  async lockProfile(): Promise<void> {
    this.#releaseProfile = await this.#options.profileLocks.take(this.#options.host.linhaId)
  }

  async open(request: Pick<OpenBrowserOptions, 'empty' | 'on'>): Promise<OpenBrowser> {
    const library = await this.#options.loadLibrary()
    this.#releaseSlot ??= this.#options.slots.take()
    if (this.#releaseSlot === null) throw new BrowserFailure('navegadorSemMemoria', 'browser limit reached')
    return openBrowser({ ...this.#options, ...request, library })
  }

  release(): void {
    this.#releaseSlot?.()
    this.#releaseProfile?.()
  }
}

export interface BrowserSlots {
  readonly take: () => (() => void) | null
}

export function createBrowserSlots(max = machineSlots()): BrowserSlots {
  const taken = new Set<symbol>()
  return {
    take: () => {
      if (taken.size >= max) return null
      const slot = Symbol('browser')
      taken.add(slot)
      return () => void taken.delete(slot)
    },
  }
}

/**
 * At least one, because the administrator chose this connector. A container's limit counts before the host's
 * memory.
 */
function machineSlots(): number {
  const limit = process.constrainedMemory()
  const memory = limit > 0 && limit < totalmem() ? limit : totalmem()
  return Math.max(1, Math.floor(memory / BYTES_PER_BROWSER))
}
