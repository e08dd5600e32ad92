import { setTimeout as dormir } from 'node:timers/promises'
import { MediaRefused } from '@balcao/connector/errors'
import type { SessionHost } from '@balcao/connector/port'

const ATTEMPTS = 5
const WAIT_MS = 2_000

/**
 * Stores the file of a message and retries when the store fails. Rejects after the last attempt, and immediately
 * with `MidiaRecusada`.
 */
export function createStoreMedia(
  { storeMedia }: Pick<SessionHost, 'storeMedia'>,
  report: (erro: unknown, oQue: string) => void,
): SessionHost['storeMedia'] {
  return async (bytes, name) => {
    for (let vez = 1; ; vez += 1) {
      try {
        return await storeMedia(bytes, name)
      } catch (error) {
        if (error instanceof MediaRefused || vez >= ATTEMPTS) throw error
        report(error, 'media not stored, retrying')
        await dormir(WAIT_MS, undefined, { ref: false })
      }
    }
  }
}
