import type { Tx } from '#db/transaction.ts'
import type { Decision } from './decision.ts'
import { EngineFailed } from './decide.ts'
import { ContatoGone, type StoredBatch, type StoreBatch, type BatchMode, NORMAL_MODE } from './store-batch.ts'
import { LimitReached } from './write.ts'
import { mailQuotaMarks, type DayUse } from '#modules/conversas/index.ts'
import type { ContatoFinder, ReadyTurn } from './find-contatos.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { Turn } from './types.ts'

export interface RunBatchOptions extends ContatoFinder {
  readonly storeBatch: StoreBatch
  readonly afterCommit: (decisoes: readonly Decision[]) => void
}

/**
 * Runs a batch in one transaction and repeats it turn by turn if it fails. Settles every turn. Returns turns whose
 * contato was already in the batch.
 */
export type RunBatch = (ready: readonly ReadyTurn[]) => Promise<readonly Turn[]>

export function createRunBatch(
  deps: BotDeps,
  { findContatos, forget, storeBatch, afterCommit }: RunBatchOptions,
): RunBatch {
  const { log, crashPoint } = deps

  const confirm = async (ready: readonly ReadyTurn[], mode: BatchMode): Promise<CommittedBatch> => {
    const contas = [...new Set(ready.map(({ context }) => context.contaId))]
    let usos: Promise<DayUse[]> | undefined
    const write = async (tx: Tx): Promise<CommittedBatch> => {
      const { items, deferred } = await findContatos(tx, ready)
      const gravacao = await storeBatch(tx, items, mode)
      ;({ usos } = gravacao)
      return { ...gravacao, deferred }
    }
    try {
      return await deps.db.transaction(contas, write, 'indices')
    } catch (error) {
      // The statement's error is more specific than the error of the COMMIT behind it.
      await usos
      throw error
    }
  }

  const attempt = async (ready: readonly ReadyTurn[], mode: BatchMode): Promise<readonly Turn[]> => {
    const { decisions, usos, deferred } = await confirm(ready, mode)
    const feitos = ready.filter(({ turn }) => !deferred.includes(turn))
    for (const { turn } of feitos) if (turn.tipo === 'mensagem') crashPoint('entrada.apos-commit')
    for (const { turn } of feitos) turn.resolve()
    if (decisions.length > 0) afterCommit(decisions)
    mailQuotaMarks(deps, await usos).catch((error: unknown) =>
      log.warn({ err: error }, 'daily-limit e-mail not queued'),
    )
    return deferred
  }

  const tentarUm = async (pronto: ReadyTurn, mode: BatchMode = NORMAL_MODE, left = 3): Promise<void> => {
    try {
      await attempt([pronto], mode)
    } catch (error) {
      if (error instanceof ContatoGone) forget(pronto.turn.key)
      const next = left > 0 ? retryMode(error, mode, pronto.turn) : null
      if (next !== null) return tentarUm(pronto, next, left - 1)
      log.error({ err: error, contaId: pronto.turn.contaId }, 'message not stored')
      forget(pronto.turn.key)
      pronto.turn.reject(error)
    }
  }

  const tentarLote = async (ready: readonly ReadyTurn[]): Promise<readonly Turn[]> => {
    if (ready.length === 0) return []
    const [unico, ...others] = ready
    if (unico !== undefined && others.length === 0) {
      await tentarUm(unico)
      return []
    }
    try {
      return await attempt(ready, NORMAL_MODE)
    } catch (error) {
      const limitadas = new Set(error instanceof LimitReached ? error.contas : [])
      if (limitadas.size === 0) log.warn({ err: error, mensagens: ready.length }, 'batch failed, retrying turn by turn')
      const sozinhos = ready.filter(({ context }) => limitadas.size === 0 || limitadas.has(context.contaId))
      const adiados = await tentarLote(ready.filter((pronto) => !sozinhos.includes(pronto)))
      for (const pronto of sozinhos) await tentarUm(pronto)
      return adiados
    }
  }

  return tentarLote
}

interface CommittedBatch extends StoredBatch {
  readonly deferred: readonly Turn[]
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
