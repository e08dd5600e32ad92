import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import type { Connector, SessionHost } from '@balcao/connector/port'
import type { OutboundFetch } from '#adapters/outbound/outbound.ts'

/** The options of `packages/whatsapp` that the server sets. */
export interface PackageOptions {
  readonly url?: string | undefined
  readonly mediaUrl?: string | undefined
  readonly fetchUrl: OutboundFetch
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

/** Loads the package from its folder. Throws without the folder or its dependencies. */
export async function loadWhatsapp(dir: string): Promise<WhatsappModule> {
  const loaded: unknown = await import(pathToFileURL(entryOf(dir)).href)
  return moduleSchema.parse(loaded)
}
