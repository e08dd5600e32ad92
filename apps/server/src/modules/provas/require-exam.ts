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

interface ExaminedConfig {
  readonly config: { readonly ia: IaConfig }
  /** `iaAtiva` of each line with own settings. Null: as the account. */
  readonly linhas: Readonly<Record<string, { readonly iaAtiva: boolean | null }>>
}

interface ChangedIa {
  readonly session: AuditActor & { readonly contaId: string }
  readonly before: ExaminedConfig
  readonly after: ExaminedConfig
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
  const [old, fresh] = [before.config.ia, after.config.ia]
  if (!old.exigirProva && !fresh.exigirProva) return
  if (!isSwitchedOn(before, after) && draftHash('', old) === draftHash('', fresh)) return
  const { contaId } = session
  const rascunho = draftHash(await readFacts(tx, { contaId, now: deps.clock.now() }), fresh)
  const falharam = await countFailing(tx, { contaId, rascunho })
  if (falharam === 0) return
  if (motivo === null) throw new AppError('provaReprovada', { falharam })
  const detalhe = `${falharam} sem passar. Motivo: ${motivo}`
  await recordAuditoria(tx, deps, { acao: 'provaIgnorada', quem: session, detalhe })
}

/** True when the AI begins to answer, in the account or on one of its lines. */
function isSwitchedOn(before: ExaminedConfig, after: ExaminedConfig): boolean {
  const wasOn = (linha: string): boolean => before.linhas[linha]?.iaAtiva ?? before.config.ia.ativa
  return (
    (after.config.ia.ativa && !before.config.ia.ativa) ||
    Object.entries(after.linhas).some(([linha, { iaAtiva }]) => iaAtiva === true && !wasOn(linha))
  )
}
