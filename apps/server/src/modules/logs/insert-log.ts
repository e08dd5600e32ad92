import type { Log, TipoLog } from '@balcao/contract/entities/log'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { insertLogRow } from './repository.ts'

export interface NewLog {
  readonly tipo: TipoLog
  /** Text for the owner, in Portuguese. Must not contain secrets or full phone numbers. */
  readonly mensagem: string
  readonly detalhes?: string | Record<string, unknown>
}

const MENSAGEM_MAX = 1_000

/** Inserts a log line in the caller's transaction and publishes it after the commit. */
export async function insertLog(
  tx: Tx,
  { ids, clock, realtime }: Pick<Deps, 'ids' | 'clock' | 'realtime'>,
  contaId: string,
  { tipo, mensagem, detalhes }: NewLog,
): Promise<Log> {
  const log: Log = {
    id: ids.uuid(),
    tipo,
    mensagem: mensagem.slice(0, MENSAGEM_MAX).toWellFormed(),
    ...(detalhes === undefined ? {} : { detalhes }),
    timestamp: clock.now().toISOString(),
  }
  await insertLogRow(tx, contaId, log)
  tx.afterCommit(() => realtime.publish(contaId, 'botLog', { ...log, userId: contaId }))
  return log
}
