import { abortFailure } from './failures.ts'

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
  const ports = new Map<string, SlotState>()

  const leave = (contaId: string, port: SlotState): void => {
    const next = port.waiting.shift()
    if (next !== undefined) return next()
    port.taken -= 1
    if (port.taken === 0) ports.delete(contaId)
  }

  const umaSaida = (contaId: string, port: SlotState): (() => void) => {
    let left = false
    return () => {
      if (!left) leave(contaId, port)
      left = true
    }
  }

  return {
    acquire: async (contaId, sinal) => {
      const port = ports.get(contaId) ?? { taken: 0, waiting: [] }
      ports.set(contaId, port)
      if (port.taken < PER_CONTA) {
        port.taken += 1
        return umaSaida(contaId, port)
      }
      await waitForSlot(port, sinal)
      return umaSaida(contaId, port)
    },
  }
}

function waitForSlot({ waiting }: SlotState, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      const place = waiting.indexOf(chamar)
      if (place !== -1) waiting.splice(place, 1)
      reject(abortFailure(signal))
    }
    const chamar = (): void => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    if (signal.aborted) {
      reject(abortFailure(signal))
      return
    }
    signal.addEventListener('abort', giveUp, { once: true })
    waiting.push(chamar)
  })
}

export interface RateLimit {
  /** Counts one question and returns whether it is within the limit. */
  readonly allows: (contato: string) => boolean
}

export function createRateLimit(now: () => number): RateLimit {
  const instants = new Map<string, number[]>()
  return {
    allows: (contato) => {
      const since = now() - MINUTE_MS
      const recent = (instants.get(contato) ?? []).filter((em) => em > since)
      instants.delete(contato)
      const [old] = instants.size < MAX_CONTATOS ? [] : instants.keys()
      if (old !== undefined) instants.delete(old)
      const passou = recent.length < PER_CONTATO
      instants.set(contato, passou ? [...recent, now()] : recent)
      return passou
    },
  }
}
