import type { TipoLog } from '@balcao/contract/entities/log'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { firstIdAt } from '#ids.ts'
import { countLogs, insertLogRows } from './repository.ts'

export interface NewLog {
  readonly tipo: TipoLog
  /** Text for the owner, in Portuguese. Must not contain secrets or full phone numbers. */
  readonly mensagem: string
  readonly detalhes?: string | Record<string, unknown>
  /** The line that the text is about. */
  readonly linhaId?: string
}

const MENSAGEM_MAX = 1_000

export interface NewLogOfConta extends NewLog {
  readonly contaId: string
}

type LogDeps = Pick<Deps, 'ids' | 'clock' | 'realtime'>

const DAY_MS = 86_400_000
const LOGS_A_DAY = 10_000
const LAST_LINE: NewLog = {
  tipo: 'warning',
  mensagem: 'Muitos registros em 24 horas. Os próximos não aparecem aqui.',
}

/**
 * Inserts a log line in the caller's transaction and publishes it after the commit. Beyond 10,000 lines in 24 hours
 * nothing is written, so that no conta fills the disk.
 */
export async function insertLog(tx: Tx, deps: LogDeps, contaId: string, line: NewLog): Promise<void> {
  const since = firstIdAt(new Date(deps.clock.now().getTime() - DAY_MS))
  const count = await countLogs(tx, { contaId, from: since, max: LOGS_A_DAY + 1 })
  if (count <= LOGS_A_DAY) await insertLogs(tx, deps, [{ ...(count < LOGS_A_DAY ? line : LAST_LINE), contaId }])
}

export async function insertLogs(tx: Tx, deps: LogDeps, lines: readonly NewLogOfConta[]): Promise<void> {
  if (lines.length > 0) await insertLogRows(tx, { logs: prepareLogs(tx, deps, lines) })
}

/** The rows of the lines, for a statement of the caller. The lines are published after the commit. */
export function prepareLogs(tx: Tx, { ids, clock, realtime }: LogDeps, lines: readonly NewLogOfConta[]) {
  const timestamp = clock.now()
  const logs = lines.map(({ contaId, linhaId = null, tipo, mensagem, detalhes }) => ({
    contaId,
    linhaId,
    id: ids.uuid(),
    tipo,
    mensagem: mensagem.slice(0, MENSAGEM_MAX).toWellFormed(),
    ...(detalhes === undefined ? {} : { detalhes }),
    timestamp,
  }))
  if (logs.length === 0) return []
  tx.afterCommit(() => {
    for (const { contaId, linhaId: _, ...log } of logs) {
      realtime.publish(contaId, 'botLog', { ...log, timestamp: timestamp.toISOString(), userId: contaId })
    }
  })
  return logs.map((log) => ({ detalhes: null, ...log }))
}
