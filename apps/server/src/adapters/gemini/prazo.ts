import { FalhaIa, type MotivoIa, motivoDoFim } from './falhas.ts'

export interface Prazo {
  /** Aborted with a `FalhaIa` when time is over or nobody waits any longer. */
  readonly sinal: AbortSignal
  readonly encerrar: () => void
}

/** `motivo`: what it is called when this time is over. */
export function criarPrazo(ms: number, desistencia?: AbortSignal, motivo: MotivoIa = 'tempo'): Prazo {
  const controle = new AbortController()
  const desistir = (): void => controle.abort(new FalhaIa('cancelada'))
  const timer = setTimeout(() => controle.abort(new FalhaIa(motivo)), ms)
  if (desistencia?.aborted === true) desistir()
  else desistencia?.addEventListener('abort', desistir, { once: true })
  return {
    sinal: controle.signal,
    encerrar: () => {
      clearTimeout(timer)
      desistencia?.removeEventListener('abort', desistir)
    },
  }
}

/** The work, or the end of the time, whichever is first: whoever asks never depends on the work noticing the signal. */
export async function ateOFim<T>(trabalho: Promise<T>, sinal: AbortSignal): Promise<T> {
  const { promise: fim, reject } = Promise.withResolvers<never>()
  const acabou = (): void => reject(motivoDoFim(sinal))
  if (sinal.aborted) acabou()
  sinal.addEventListener('abort', acabou, { once: true })
  try {
    return await Promise.race([trabalho, fim])
  } finally {
    sinal.removeEventListener('abort', acabou)
  }
}
