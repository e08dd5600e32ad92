import { setTimeout as dormir } from 'node:timers/promises'
import { MidiaRecusada, type SessionHost } from '#ports/messaging.ts'

const TENTATIVAS = 5
const ESPERA_MS = 2_000

/**
 * Stores the file of a message and retries when the store fails. Rejects after the last attempt, and immediately
 * with `MidiaRecusada`.
 */
export function createGuardarMidia(
  { guardarMidia }: Pick<SessionHost, 'guardarMidia'>,
  registrar: (erro: unknown, oQue: string) => void,
): SessionHost['guardarMidia'] {
  return async (bytes, nome) => {
    for (let vez = 1; ; vez += 1) {
      try {
        return await guardarMidia(bytes, nome)
      } catch (error) {
        if (error instanceof MidiaRecusada || vez >= TENTATIVAS) throw error
        registrar(error, 'media not stored, retrying')
        await dormir(ESPERA_MS, undefined, { ref: false })
      }
    }
  }
}
