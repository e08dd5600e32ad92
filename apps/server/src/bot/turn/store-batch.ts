import { reachesCustomer } from '@balcao/engine/effect'
import type { Tx } from '#db/transaction.ts'
import { holdCurrentSetor } from '#modules/configuracao/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { Decision } from './decision.ts'
import { decide, type Handover } from './decide.ts'
import { localDay } from '#lib/time.ts'
import type { FullAccounts } from './full-accounts.ts'
import { finishExpired, updateQuotes, insertRecords, updateConversas } from './records.ts'
import { type LockTarget, lockContatos } from './read.ts'
import { writeDecisions } from './write.ts'
import { nextProtocolo, recordLimitReached, remainingToday, type DayUse } from '#modules/conversas/index.ts'
import type { LocatedTurn } from './find-contatos.ts'
import type { BotDeps } from '#bot/deps.ts'
import { NOT_ANSWERED_LOG } from '#bot/texts.ts'

export interface BatchMode {
  /** Reads the remaining messages under the counter's lock, instead of failing when the batch does not fit. */
  readonly count: boolean
  readonly silent: boolean
}

export const NORMAL_MODE: BatchMode = { count: false, silent: false }

export interface StoredBatch {
  /** In order, without repeated messages. */
  readonly decisions: readonly Decision[]
  readonly usos: Promise<DayUse[]>
}

/** The contato was erased or merged between the lookup and the lock. */
export class ContatoGone extends Error {
  constructor() {
    super('contato erased or merged during the batch')
  }
}

/**
 * Locks the contatos, runs the engine for every turn and writes the results in the caller's transaction. Throws
 * `ContatoSumiu`, `LimiteAtingido` (unless `modo.contar`) and `MotorFalhou` (unless `modo.mudo`); the caller must
 * then roll back. `usos` may still be pending: it is sent ahead of the COMMIT, which fails with it.
 */
export type StoreBatch = (tx: Tx, items: readonly LocatedTurn[], mode: BatchMode) => Promise<StoredBatch>

export function createStoreBatch(deps: BotDeps, fullAccounts: FullAccounts): StoreBatch {
  const decidirTodos = async (tx: Tx, items: readonly LocatedTurn[], mode: BatchMode): Promise<Decision[]> => {
    const travados = await lockContatos(tx, items.map(toLockTarget))
    const agora = deps.clock.now()
    const decisoes: Decision[] = []
    for (const [index, { turn, context }] of items.entries()) {
      const contato = travados[index] ?? null
      if (contato === null) throw new ContatoGone()
      if (contato.repeated) continue
      const { contaId, fuso } = context
      const dia = localDay(agora, fuso)
      const vaga = mode.count ? await remainingToday(tx, contaId, dia) : fullAccounts.remaining(contaId)
      const { silent } = mode
      const deliver = async (request: string): Promise<Handover> => ({
        // The setor first: it may wait for a configuration that is being saved, and the protocol counter locks the
        // whole conta.
        setor: await holdCurrentSetor(tx, deps, contaId, request),
        protocolo: await nextProtocolo(tx, contaId, dia),
      })
      decisoes.push(
        await decide({
          turn,
          contato,
          context,
          now: agora,
          day: dia,
          uuid: deps.ids.uuid,
          remaining: vaga,
          silent,
          handOver: deliver,
        }),
      )
    }
    return decisoes
  }

  const anotarLimite = async (tx: Tx, decisoes: readonly Decision[]): Promise<void> => {
    for (const { contaId, mensagens, day } of decisoes) {
      if (!mensagens.some(({ estado }) => estado === 'limite')) continue
      await recordLimitReached(tx, deps, contaId, day)
      fullAccounts.add(contaId)
    }
  }

  return async (tx, items, mode) => {
    const decisoes = await decidirTodos(tx, items, mode)
    if (decisoes.length === 0) return { decisions: decisoes, usos: Promise.resolve([]) }
    await finishExpired(tx, decisoes)
    // Sent on one connection without waiting, perhaps with the COMMIT behind them. The first error aborts the
    // transaction.
    const usos = Promise.all([writeDecisions(tx, decisoes), updateConversas(tx, decisoes)]).then(([parsed]) => parsed)
    // Prevents an unhandled rejection. The caller awaits `usos` again.
    usos.catch(() => undefined)
    if (mode !== NORMAL_MODE || decisoes.some(hasRecords)) {
      await usos
      await updateQuotes(tx, decisoes)
      await insertRecords(tx, deps, decisoes)
      if (mode.count) await anotarLimite(tx, decisoes)
      if (mode.silent) for (const { contaId } of decisoes) await insertLog(tx, deps, contaId, NOT_ANSWERED_LOG)
    }
    for (const { turn } of decisoes) if (turn.tipo === 'mensagem') deps.crashPoint('entrada.antes-commit')
    deps.crashPoint('resposta.antes-commit')
    return { decisions: decisoes, usos }
  }
}

function hasRecords({ effects, turn, mensagens }: Decision): boolean {
  if (mensagens.some(({ extras }) => extras !== undefined)) return true
  if (turn.tipo === 'evento' && turn.answered !== undefined) return true
  return effects.some((effect) => !reachesCustomer(effect))
}

function toLockTarget({ turn, context, contatoId }: LocatedTurn): LockTarget {
  const common = { contaId: context.contaId, contatoId }
  if (turn.tipo === 'evento') return { ...common, channel: null, idExterno: null }
  return { ...common, channel: turn.channel, idExterno: turn.message.id }
}
