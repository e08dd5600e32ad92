import { abortFailure } from './falhas.ts'

const PER_CONTA = 4
const PER_CONTATO = 10
const MINUTE_MS = 60_000
const MAX_CONTATOS = 20_000

/**
 * Limits how many questions of one account run at once. Further questions wait in order; other accounts are not
 * delayed.
 */
export interface ContaSlots {
  /** Resolves with the function that releases the slot. Rejects when `sinal` aborts first. */
  readonly acquire: (contaId: string, sinal: AbortSignal) => Promise<() => void>
}

interface SlotState {
  taken: number
  readonly waiting: (() => void)[]
}

export function createContaSlots(): ContaSlots {
  const portas = new Map<string, SlotState>()

  const sair = (contaId: string, porta: SlotState): void => {
    const proximo = porta.waiting.shift()
    if (proximo !== undefined) return proximo()
    porta.taken -= 1
    if (porta.taken === 0) portas.delete(contaId)
  }

  const umaSaida = (contaId: string, porta: SlotState): (() => void) => {
    let saiu = false
    return () => {
      if (!saiu) sair(contaId, porta)
      saiu = true
    }
  }

  return {
    acquire: async (contaId, sinal) => {
      const porta = portas.get(contaId) ?? { taken: 0, waiting: [] }
      portas.set(contaId, porta)
      if (porta.taken < PER_CONTA) {
        porta.taken += 1
        return umaSaida(contaId, porta)
      }
      await waitForSlot(porta, sinal)
      return umaSaida(contaId, porta)
    },
  }
}

function waitForSlot({ waiting }: SlotState, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const desistir = (): void => {
      const lugar = waiting.indexOf(chamar)
      if (lugar !== -1) waiting.splice(lugar, 1)
      reject(abortFailure(signal))
    }
    const chamar = (): void => {
      signal.removeEventListener('abort', desistir)
      resolve()
    }
    if (signal.aborted) {
      reject(abortFailure(signal))
      return
    }
    signal.addEventListener('abort', desistir, { once: true })
    waiting.push(chamar)
  })
}

export interface RateLimit {
  /** Counts one question and returns whether it is within the limit. */
  readonly allows: (contato: string) => boolean
}

export function createRateLimit(now: () => number): RateLimit {
  const instantes = new Map<string, number[]>()
  return {
    allows: (contato) => {
      const desde = now() - MINUTE_MS
      const recentes = (instantes.get(contato) ?? []).filter((em) => em > desde)
      instantes.delete(contato)
      const [antigo] = instantes.size < MAX_CONTATOS ? [] : instantes.keys()
      if (antigo !== undefined) instantes.delete(antigo)
      const passou = recentes.length < PER_CONTATO
      instantes.set(contato, passou ? [...recentes, now()] : recentes)
      return passou
    },
  }
}
