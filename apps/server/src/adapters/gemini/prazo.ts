import { FalhaIa, type MotivoIa, motivoDoFim } from './falhas.ts'

export interface Prazo {
  /** Aborted with a `FalhaIa` on timeout or cancellation. */
  readonly sinal: AbortSignal
  readonly encerrar: () => void
}

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

/** Settles with the work or with the signal, whichever is first. The work does not have to react to the signal. */
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
