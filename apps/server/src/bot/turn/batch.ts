import { LRUCache } from 'lru-cache'
import { POOL_TIMEOUT_MESSAGE } from '#db/connection-turns.ts'
import type { Repeat } from '#lib/queue/batcher.ts'
import { LinesMoved } from '#modules/configuracao/index.ts'
import { EngineFailed } from './engine.ts'
import { type BatchMode, ContatoGone, handleBatch, NORMAL_MODE, type TurnDeps } from './handle-message.ts'
import type { Turn } from './types.ts'
import { LimitReached } from './write.ts'

const CONTAS_MAX = 5_000
/** A conta that was in a failed batch gets separate batches for this long, or until one of them succeeds. */
const ALONE_MS = 10_000
/** A contato that stays locked for longer fails its turns. An import of 50,000 rows takes up to 25 s on a busy machine. */
const BLOCKED_MAX_MS = 40_000
const BLOCKED_WAIT_MS = { min: 5, max: 250 }

export class TurnRetries {
  readonly #alone = new LRUCache<string, true>({ max: CONTAS_MAX, ttl: ALONE_MS })
  readonly #blockedSince = new WeakMap<Turn, number>()

  isAlone(contaId: string): boolean {
    return this.#alone.has(contaId)
  }

  separate(contas: Iterable<string>): void {
    for (const contaId of contas) this.#alone.set(contaId, true)
  }

  succeeded(contaId: string): void {
    this.#alone.delete(contaId)
  }

  /** The next try of a turn whose contato is locked. The wait grows. Null: the turn waited too long. */
  afterLock(turn: Turn): Repeat<Turn> | null {
    const now = performance.now()
    const since = this.#blockedSince.get(turn) ?? now
    this.#blockedSince.set(turn, since)
    if (now - since > BLOCKED_MAX_MS) return null
    return { item: turn, waitMs: Math.min(BLOCKED_WAIT_MS.max, Math.max(BLOCKED_WAIT_MS.min, (now - since) / 2)) }
  }
}

/**
 * Runs a batch in one transaction. If a batch of several contas fails, each conta repeats its turns in a separate
 * batch; if the batch of one conta fails, it repeats turn by turn. Never rejects. Settles every turn, except those
 * that it returns: their contato is locked, or is already in the batch.
 */
export async function runBatch(
  bot: TurnDeps,
  retries: TurnRetries,
  turns: readonly Turn[],
): Promise<readonly Repeat<Turn>[]> {
  const [first, ...others] = turns
  if (first === undefined) return []
  if (others.length === 0) return runOne(bot, retries, first)
  const contas = new Set(turns.map(({ contaId }) => contaId))
  try {
    const { deferred, blocked } = await handleBatch(bot, turns, NORMAL_MODE)
    if (contas.size === 1) retries.succeeded(first.contaId)
    return [...deferred.map(atOnce), ...blocked.flatMap((turn) => afterLock(bot, retries, turn))]
  } catch (error) {
    refetchIfStored(bot, turns, error)
    const full = error instanceof LimitReached ? error.contas : []
    if (full.length === 0) bot.log.warn({ err: error, mensagens: turns.length, contas: contas.size }, 'batch failed')
    if (contas.size > 1) {
      retries.separate(full.length === 0 ? contas : full)
      return turns.map(atOnce)
    }
    return runEach(bot, retries, turns)
  }
}

const atOnce = (item: Turn): Repeat<Turn> => ({ item, waitMs: 0 })

async function runEach(bot: TurnDeps, retries: TurnRetries, turns: readonly Turn[]): Promise<readonly Repeat<Turn>[]> {
  const repeats: Repeat<Turn>[] = []
  for (const turn of turns) repeats.push(...(await runOne(bot, retries, turn)))
  return repeats
}

async function runOne(
  bot: TurnDeps,
  retries: TurnRetries,
  turn: Turn,
  { mode = NORMAL_MODE, left = 3 }: { readonly mode?: BatchMode; readonly left?: number } = {},
): Promise<readonly Repeat<Turn>[]> {
  try {
    const { blocked } = await handleBatch(bot, [turn], mode)
    return blocked.flatMap((one) => afterLock(bot, retries, one))
  } catch (error) {
    refetchIfStored(bot, [turn], error)
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return afterLock(bot, retries, turn, error)
    if (error instanceof ContatoGone) bot.contatos.forget(turn.key)
    const next = left > 0 ? retryMode(error, mode, turn) : null
    if (next !== null) return runOne(bot, retries, turn, { mode: next, left: left - 1 })
    return fail(bot, turn, error)
  }
}

/** The turn returns to the queue, so that others do not wait for the lock. */
function afterLock(
  bot: TurnDeps,
  retries: TurnRetries,
  turn: Turn,
  error: unknown = new Error('contato locked by another transaction'),
): readonly Repeat<Turn>[] {
  const repeat = retries.afterLock(turn)
  return repeat === null ? fail(bot, turn, error) : [repeat]
}

function fail(bot: TurnDeps, turn: Turn, error: unknown): readonly [] {
  bot.log.error({ err: error, contaId: turn.contaId }, 'message not stored')
  bot.contatos.forget(turn.key)
  turn.reject(error)
  return []
}

const LOCK_NOT_AVAILABLE = '55P03'
/** Retried unchanged: unique violation of a repeated message id, deadlock, serialization failure. */
const RETRYABLE = new Set(['23505', '40P01', '40001'])

function retryMode(error: unknown, mode: BatchMode, { tipo }: Turn): BatchMode | null {
  if (error instanceof ContatoGone) return tipo === 'mensagem' ? mode : null
  if (error instanceof LinesMoved) return mode
  if (error instanceof LimitReached) return mode.count ? null : { ...mode, count: true }
  // The engine failed: store the message without an answer, so that the queue continues.
  if (error instanceof EngineFailed) return { ...mode, silent: true }
  return RETRYABLE.has(codeOf(error)) ? mode : null
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/**
 * A commit whose answer was lost may be stored, and its events are not published: the repetition finds every message
 * stored. The browsers of the contas reconnect and refetch.
 */
function refetchIfStored({ realtime }: Pick<TurnDeps, 'realtime'>, turns: readonly Turn[], error: unknown): void {
  if (!mayBeStored(error)) return
  for (const contaId of new Set(turns.map((turn) => turn.contaId))) void realtime.disconnect({ contaId })
}

/** PostgreSQL answers with an SQLSTATE after a rollback. Class 57P, a server that ends, proves nothing. */
const ROLLED_BACK = /^(?!57P)[0-9A-Z]{5}$/

function mayBeStored(error: unknown): boolean {
  if (error instanceof ContatoGone || error instanceof LimitReached || error instanceof EngineFailed) return false
  if (error instanceof LinesMoved) return false
  if (!(error instanceof Error)) return true
  if (error.message === POOL_TIMEOUT_MESSAGE || ('syscall' in error && error.syscall === 'connect')) return false
  return !ROLLED_BACK.test(codeOf(error))
}
