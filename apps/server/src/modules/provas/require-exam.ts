import { createHash } from 'node:crypto'
import type { IaConfig } from '@balcao/contract/entities/config'
import { examSettings } from '@balcao/engine/ia/exam'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type AuditActor, recordAuditoria } from '#modules/auditoria/index.ts'
import { countFailing, readFacts } from './repository.ts'

/** A result holds while neither these settings nor the facts of the shop change. Keys and budget do not count. */
export function draftHash(facts: string, ia: IaConfig): string {
  const settings = Object.entries(examSettings(ia)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const sorted = JSON.stringify([facts, settings], (_key, field: unknown) => sortKeys(field))
  return createHash('sha256').update(sorted).digest('base64url')
}

function sortKeys(field: unknown): unknown {
  if (typeof field !== 'object' || field === null || Array.isArray(field)) return field
  return Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

interface ChangedIa {
  readonly session: AuditActor & { readonly contaId: string }
  readonly before: IaConfig
  readonly after: IaConfig
  /** The reason of a person who saves in spite of the exam. Null: the exam decides. */
  readonly motivo: string | null
}

/**
 * Refuses settings of the AI that no passed exam covers. Reads stored results only, so that a save never waits for the
 * provider. Throws `provaReprovada`.
 */
export async function requireExam(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock'>,
  { session, before, after, motivo }: ChangedIa,
): Promise<void> {
  if (!before.exigirProva && !after.exigirProva) return
  const switchedOn = after.ativa && !before.ativa
  if (!switchedOn && draftHash('', before) === draftHash('', after)) return
  const { contaId } = session
  const rascunho = draftHash(await readFacts(tx, { contaId, now: deps.clock.now() }), after)
  const falharam = await countFailing(tx, { contaId, rascunho })
  if (falharam === 0) return
  if (motivo === null) throw new AppError('provaReprovada', { falharam })
  const detalhe = `${falharam} sem passar. Motivo: ${motivo}`
  await recordAuditoria(tx, deps, { acao: 'provaIgnorada', quem: session, detalhe })
}
