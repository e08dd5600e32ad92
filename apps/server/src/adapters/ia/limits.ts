import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { createGate, type Gate } from '#lib/queue/gate.ts'
import { abortFailure, AiFailure, type AiMotivo } from './failures.ts'

const PER_CONTA = 4
const PER_CONTATO = 10
/** Over all accounts. A question with files holds up to 75 MB while it is sent. */
const WITH_FILES = 8
const WITH_FILES_WAITING = 1_000
const MINUTE_MS = 60_000
const MAX_CONTATOS = 20_000

/**
 * Runs at most four questions of one account at once. Further questions wait in order; other accounts are not
 * delayed. Rejects with the reason of `waiting.signal` when it aborts before the question starts.
 */
export type RunInSlot = <T>(contaId: string, waiting: Deadline, ask: () => Promise<T>) => Promise<T>

export function createContaSlots(): RunInSlot {
  const queues = new Map<string, PQueue>()
  const open = (contaId: string): PQueue => {
    const queue = new PQueue({ concurrency: PER_CONTA })
    queue.addEventListener('idle', () => queues.delete(contaId))
    queues.set(contaId, queue)
    return queue
  }
  return async (contaId, waiting, ask) => {
    const start = (): ReturnType<typeof ask> => {
      // Afterwards the signal cannot abort: it limits the wait, not the question.
      waiting.clear()
      return ask()
    }
    try {
      return await (queues.get(contaId) ?? open(contaId)).add(start, { signal: waiting.signal })
    } finally {
      waiting.clear()
    }
  }
}

export function createFilesGate(waitMs: number): Gate {
  return createGate({
    ...{ atOnce: WITH_FILES, waiting: WITH_FILES_WAITING, waitMs },
    full: () => new AiFailure('fila'),
  })
}

export function createRateLimit(now: () => number): (contato: string) => boolean {
  const askedAt = new LRUCache<string, readonly number[]>({ maxSize: MAX_CONTATOS, sizeCalculation: () => 1 })
  return (contato) => {
    const since = now() - MINUTE_MS
    const recent = (askedAt.get(contato) ?? []).filter((instant) => instant > since)
    const isAllowed = recent.length < PER_CONTATO
    askedAt.set(contato, isAllowed ? [...recent, now()] : recent)
    return isAllowed
  }
}

export interface Deadline {
  /** Aborted with an `AiFailure` on timeout or cancellation. */
  readonly signal: AbortSignal
  readonly clear: () => void
}

/** Unlike `AbortSignal.timeout`, the deadline can be cleared and its reason says which limit was exceeded. */
export function createDeadline(ms: number, cancelled?: AbortSignal, motivo: AiMotivo = 'tempo'): Deadline {
  const controller = new AbortController()
  const giveUp = (): void => controller.abort(new AiFailure('cancelada'))
  const timer = setTimeout(() => controller.abort(new AiFailure(motivo)), ms)
  if (cancelled?.aborted === true) giveUp()
  else cancelled?.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      cancelled?.removeEventListener('abort', giveUp)
    },
  }
}

export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(abortFailure(signal))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Consecutive failures that open the circuit, and how long it stays open before one probe is allowed. */
const FAILURES_TO_OPEN = 5
const OPEN_MS = 30_000
const MAX_CIRCUITS = 5_000

interface Circuit {
  failures: number
  openUntil: number
  probing: boolean
}

/**
 * Circuit breaker per key (account and model). While open it refuses questions; after a pause it lets one probe
 * through, whose outcome closes or opens it again. The breaker of cockatiel would make further questions wait for the
 * probe, and the owner's test could not pass an open circuit.
 */
export interface CircuitBreaker {
  /** True when a question may be sent. The caller must then report exactly one outcome. */
  readonly mayAsk: (key: string) => boolean
  readonly succeeded: (key: string) => boolean
  readonly failed: (key: string) => boolean
  readonly inconclusive: (key: string) => void
}

export function createCircuitBreaker(now: () => number): CircuitBreaker {
  const circuits = new LRUCache<string, Circuit>({ maxSize: MAX_CIRCUITS, sizeCalculation: () => 1 })
  return {
    mayAsk: (key) => {
      const circuit = circuits.get(key)
      if (circuit === undefined || circuit.failures < FAILURES_TO_OPEN) return true
      if (circuit.probing || now() < circuit.openUntil) return false
      circuit.probing = true
      return true
    },
    succeeded: (key) => {
      const { failures = 0 } = circuits.get(key) ?? {}
      circuits.delete(key)
      return failures >= FAILURES_TO_OPEN
    },
    failed: (key) => {
      const { failures = 0 } = circuits.get(key) ?? {}
      circuits.set(key, { failures: failures + 1, openUntil: now() + OPEN_MS, probing: false })
      return failures + 1 === FAILURES_TO_OPEN
    },
    inconclusive: (key) => {
      const circuit = circuits.get(key)
      if (circuit !== undefined) circuit.probing = false
    },
  }
}
