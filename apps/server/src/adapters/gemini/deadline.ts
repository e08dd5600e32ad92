import { AiFailure, type AiMotivo, abortFailure } from './failures.ts'

export interface Deadline {
  /** Aborted with a `FalhaIa` on timeout or cancellation. */
  readonly signal: AbortSignal
  readonly clear: () => void
}

export function createDeadline(ms: number, cancelled?: AbortSignal, motivo: AiMotivo = 'tempo'): Deadline {
  const controle = new AbortController()
  const giveUp = (): void => controle.abort(new AiFailure('cancelada'))
  const timer = setTimeout(() => controle.abort(new AiFailure(motivo)), ms)
  if (cancelled?.aborted === true) giveUp()
  else cancelled?.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controle.signal,
    clear: () => {
      clearTimeout(timer)
      cancelled?.removeEventListener('abort', giveUp)
    },
  }
}

/** Settles with the work or with the signal, whichever is first. The work does not have to react to the signal. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: fim, reject } = Promise.withResolvers<never>()
  const acabou = (): void => reject(abortFailure(signal))
  if (signal.aborted) acabou()
  signal.addEventListener('abort', acabou, { once: true })
  try {
    return await Promise.race([work, fim])
  } finally {
    signal.removeEventListener('abort', acabou)
  }
}
