import { POOL_TIMEOUT_MESSAGE } from '#db/transaction.ts'
import { EngineFailed } from './engine.ts'
import { type BatchMode, ContatoGone, handleBatch, NORMAL_MODE, type TurnDeps } from './handle-message.ts'
import type { Turn } from './types.ts'
import { LimitReached } from './write.ts'

/**
 * Runs a batch in one transaction and repeats it turn by turn if it fails. Settles every turn and never rejects.
 * Returns turns whose contato was already in the batch.
 */
export async function runBatch(bot: TurnDeps, turns: readonly Turn[]): Promise<readonly Turn[]> {
  const [first, ...others] = turns
  if (first === undefined) return []
  if (others.length === 0) {
    await runOne(bot, first)
    return []
  }
  try {
    return await handleBatch(bot, turns, NORMAL_MODE)
  } catch (error) {
    refetchIfStored(bot, turns, error)
    const full = new Set(error instanceof LimitReached ? error.contas : [])
    if (full.size === 0) bot.log.warn({ err: error, mensagens: turns.length }, 'batch failed, retrying turn by turn')
    const alone = turns.filter(({ contaId }) => full.size === 0 || full.has(contaId))
    const deferred = await runBatch(
      bot,
      turns.filter((turn) => !alone.includes(turn)),
    )
    for (const turn of alone) await runOne(bot, turn)
    return deferred
  }
}

async function runOne(bot: TurnDeps, turn: Turn, mode: BatchMode = NORMAL_MODE, left = 3): Promise<void> {
  try {
    await handleBatch(bot, [turn], mode)
  } catch (error) {
    refetchIfStored(bot, [turn], error)
    if (error instanceof ContatoGone) bot.contatos.forget(turn.key)
    const next = left > 0 ? retryMode(error, mode, turn) : null
    if (next !== null) return runOne(bot, turn, next, left - 1)
    bot.log.error({ err: error, contaId: turn.contaId }, 'message not stored')
    bot.contatos.forget(turn.key)
    turn.reject(error)
  }
}

/** Retried unchanged: unique violation of a repeated message id, deadlock, serialization failure. */
const RETRYABLE = new Set(['23505', '40P01', '40001'])

function retryMode(error: unknown, mode: BatchMode, { tipo }: Turn): BatchMode | null {
  if (error instanceof ContatoGone) return tipo === 'mensagem' ? mode : null
  if (error instanceof LimitReached) return mode.count ? null : { ...mode, count: true }
  // The engine failed: store the message without an answer, so that the queue continues.
  if (error instanceof EngineFailed) return { ...mode, silent: true }
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code)) ? mode : null
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
  if (!(error instanceof Error)) return true
  if (error.message === POOL_TIMEOUT_MESSAGE || ('syscall' in error && error.syscall === 'connect')) return false
  return !('code' in error && ROLLED_BACK.test(String(error.code)))
}
