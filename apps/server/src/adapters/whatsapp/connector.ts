import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import { SendFailed } from '@balcao/connector/errors'
import type { Connector, ConnectorFactory, OutboundMessage, PairingCode, SessionHost } from '@balcao/connector/port'
import { createOutbound, type OutboundFetch } from '#adapters/outbound/outbound.ts'

const MAX_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 20_000

export interface WhatsappAdapterOptions extends Omit<PackageOptions, 'logFailure' | 'fetchUrl'> {
  /** Folder of the package. Default: its folder in this repository. */
  readonly dir?: string | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/** The connector under its name, or nothing when the folder of its package is absent. */
export function createWhatsappConnectors(options: WhatsappAdapterOptions): { readonly whatsapp?: ConnectorFactory } {
  return hasWhatsapp(options.dir ?? WHATSAPP_DIR) ? { whatsapp: createWhatsappFactory(options) } : {}
}

/**
 * Connector of `packages/whatsapp`, a separately licensed package. It is loaded with the first bot that uses it, so
 * other servers neither load it nor accept its licence.
 */
export function createWhatsappFactory({
  log,
  dir = WHATSAPP_DIR,
  ...options
}: WhatsappAdapterOptions): ConnectorFactory {
  const { mediaUrl } = options
  const fetchUrl = createOutbound({
    fixedOrigins: [],
    subdomainsOf: ['whatsapp.net'],
    envOrigins: mediaUrl === undefined ? [] : [mediaUrl],
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  })
  return (host) => {
    const { contaId, linhaId } = host
    const load = async (): Promise<PackageConnector> => {
      const { createWhatsapp } = await loadWhatsapp(dir)
      const logFailure: PackageOptions['logFailure'] = (err, event) =>
        log.warn({ err, contaId, linhaId }, `whatsapp: ${event}`)
      return createWhatsapp({ ...options, fetchUrl, logFailure })(host)
    }
    return new LazyConnector(host, load, (err) =>
      log.error({ err, contaId, linhaId }, 'whatsapp: connector not loaded'),
    )
  }
}

class LazyConnector implements Connector {
  readonly #host: Pick<SessionHost, 'linkState'>
  readonly #load: () => Promise<PackageConnector>
  readonly #notLoaded: (error: unknown) => void
  #loading: Promise<PackageConnector> | undefined
  #loaded: PackageConnector | undefined

  constructor(
    host: Pick<SessionHost, 'linkState'>,
    load: () => Promise<PackageConnector>,
    notLoaded: (error: unknown) => void,
  ) {
    this.#host = host
    this.#load = load
    this.#notLoaded = notLoaded
  }

  silenceMs(): number | null {
    return this.#loaded?.silenceMs() ?? null
  }

  async start(): Promise<void> {
    this.#loading ??= this.#load()
    try {
      this.#loaded = await this.#loading
    } catch (error) {
      this.#notLoaded(error)
      return this.#host.linkState({ tipo: 'encerrado', status: 'ERRO', motivo: 'erroInterno' })
    }
    // A failure here comes from the store and is transient; the runtime starts the session again.
    await this.#loaded.start()
  }

  async stop(): Promise<void> {
    await (await this.#loading)?.stop()
  }

  /** A stopped session still has a linked phone to unlink. */
  async logout(): Promise<void> {
    this.#loading ??= this.#load()
    await (await this.#loading).logout()
  }

  async send(message: OutboundMessage): Promise<void> {
    if (this.#loading === undefined) throw new SendFailed('sem conexão com o WhatsApp')
    await (await this.#loading).send(message)
  }

  async pairingCode(telefone: string): Promise<PairingCode | null> {
    return (await (await this.#loading)?.pairingCode(telefone)) ?? null
  }

  typing(address: string): void {
    this.#loading?.then((connector) => connector.typing(address)).catch(() => undefined)
  }
}

export interface PackageOptions {
  readonly url?: string | undefined
  readonly mediaUrl?: string | undefined
  readonly fetchUrl: OutboundFetch
  /** Undefined: the version of the library. Never rejects. */
  readonly version?: (linhaId: string) => Promise<readonly [number, number, number] | undefined>
  readonly logFailure: (error: unknown, event: string) => void
}

export type PackageConnector = Required<Connector>

/**
 * The part of `packages/whatsapp` that the server calls. The package has another licence and may be absent, so the
 * server imports no type of it.
 */
export interface WhatsappModule {
  readonly createWhatsapp: (options: PackageOptions) => (host: SessionHost) => PackageConnector
}

export const WHATSAPP_DIR = join(import.meta.dirname, '..', '..', '..', '..', '..', 'packages', 'whatsapp')

const moduleSchema = z.object({
  createWhatsapp: z.custom<WhatsappModule['createWhatsapp']>((value) => typeof value === 'function'),
})

const entryOf = (dir: string): string => join(dir, 'src', 'connector.ts')

/** True if the folder of the package exists. Node and npm are never asked for a package of that name. */
export function hasWhatsapp(dir: string): boolean {
  return existsSync(entryOf(dir))
}

export async function loadWhatsapp(dir: string): Promise<WhatsappModule> {
  const loaded: unknown = await import(pathToFileURL(entryOf(dir)).href)
  return moduleSchema.parse(loaded)
}
