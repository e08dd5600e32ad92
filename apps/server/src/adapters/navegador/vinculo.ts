import * as z from 'zod/mini'
import type { SessionHost } from '#ports/messaging.ts'

/** Link data stored beside the profile folder: when the phone was linked and up to when its messages were received. */
export interface LinkRecord {
  readonly exists: () => boolean
  /** Seconds. Messages from this instant on may be missing; earlier ones are ignored. */
  readonly since: () => number
  /** Stores the link once. Resolves with false when the write failed, so that the caller may retry. Never rejects. */
  readonly create: () => Promise<boolean>
  /** Stores that everything up to this second was received. Writes only a later second; never rejects. */
  readonly advance: (ate: number | null) => Promise<void>
  readonly forget: () => void
}

const linkRecordSchema = z.object({ criadoEm: z.number(), ate: z.number() })
/** Messages reach the page slightly out of order. */
const MARGIN_S = 10 * 60

export function createLinkRecord(
  host: Pick<SessionHost, 'credentials' | 'saveCredentials'>,
  report: (erro: unknown, oQue: string) => void,
): LinkRecord {
  let vinculo = linkRecordSchema.safeParse(host.credentials).data ?? null
  let escrito: Promise<boolean> | null = vinculo === null ? null : Promise.resolve(true)
  return {
    exists: () => vinculo !== null,
    since: () => Math.max(vinculo?.criadoEm ?? 0, (vinculo?.ate ?? 0) - MARGIN_S),
    create: () => {
      const agora = Math.floor(Date.now() / 1_000)
      vinculo ??= { criadoEm: agora, ate: agora }
      escrito ??= host.saveCredentials(vinculo).then(
        () => true,
        (erro: unknown) => {
          report(erro, 'link not saved')
          escrito = null
          return false
        },
      )
      return escrito
    },
    advance: async (ate) => {
      if (vinculo === null || ate === null || ate <= vinculo.ate) return
      vinculo = { ...vinculo, ate }
      await host.saveCredentials(vinculo).catch((erro: unknown) => report(erro, 'link not saved'))
    },
    forget: () => {
      vinculo = null
      escrito = null
    },
  }
}
