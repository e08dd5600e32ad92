import * as z from 'zod/mini'
import { SendRefused } from '@balcao/connector/errors'
import type { SessionHost } from '@balcao/connector/port'
import type { WebClient } from './browser/library.ts'
import { classifyOpenFailure, TimedOut, withTimeout } from './failures.ts'

export interface LinkRecord {
  readonly exists: () => boolean
  /** Seconds. Messages from this instant on may be missing; earlier ones are ignored. */
  readonly since: () => number
  /** Stores the link once. Resolves with false when the write failed, so that the caller may retry. Never rejects. */
  readonly create: () => Promise<boolean>
  /** Stores that everything up to this second was received. Writes only a later second; never rejects. */
  readonly advance: (until: number | null) => Promise<void>
  readonly forget: () => void
}

const linkRecordSchema = z.object({ criadoEm: z.number(), ate: z.number() })
/** Messages reach the page slightly out of order. */
const MARGIN_S = 10 * 60
const PAIRING_CODE_MS = 9_000

export function createLinkRecord(
  host: Pick<SessionHost, 'now' | 'credentials' | 'saveCredentials'>,
  report: (error: unknown, event: string) => void,
): LinkRecord {
  let link = linkRecordSchema.safeParse(host.credentials).data ?? null
  let written: Promise<boolean> | null = link === null ? null : Promise.resolve(true)
  return {
    exists: () => link !== null,
    since: () => Math.max(link?.criadoEm ?? 0, (link?.ate ?? 0) - MARGIN_S),
    create: () => {
      const now = Math.floor(host.now().getTime() / 1_000)
      link ??= { criadoEm: now, ate: now }
      written ??= host.saveCredentials(link).then(
        () => true,
        (error: unknown) => {
          report(error, 'link not saved')
          written = null
          return false
        },
      )
      return written
    },
    advance: async (until) => {
      if (link === null || until === null || until <= link.ate) return
      link = { ...link, ate: until }
      await host.saveCredentials(link).catch((error: unknown) => report(error, 'link not saved'))
    },
    forget: () => {
      link = null
      written = null
    },
  }
}

/** Returns a pairing code for this phone number. Throws `SendRefused` when the page refuses the number. */
export async function requestPairingCode(
  client: Pick<WebClient, 'requestPairingCode'>,
  telefone: string,
): Promise<string> {
  try {
    return await withTimeout(client.requestPairingCode(telefone), PAIRING_CODE_MS)
  } catch (error) {
    if (error instanceof TimedOut || classifyOpenFailure(error).motivo !== 'servicoInstavel') throw error
    throw new SendRefused('O WhatsApp não aceitou este número.')
  }
}
