import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

const IP_MAX = 100
const DETAIL_MAX = 300

/** The actor of an act. `usuarioId` is null for an unknown person, such as a failed login. */
export interface AuditActor {
  readonly usuarioId: string | null
  readonly contaId?: string | null
  readonly nome: string
  readonly email: string
  readonly ip: string
}

export interface NewAto {
  readonly acao: AcaoAuditoria
  /** Null if the product itself acted. */
  readonly quem: AuditActor | null
  readonly alvo?: { readonly id: string; readonly nome: string; readonly email?: string }
  /** The affected conta. Default: the conta of `quem`. */
  readonly contaId?: string
  readonly resultado?: 'feito' | 'recusado'
  /**
   * Text for the administrator, in Portuguese. Must not contain secrets, customer messages, names or full phone
   * numbers.
   */
  readonly detalhe?: string
}

const NO_ACTOR = { usuarioId: null, contaId: null, nome: '', email: '', ip: '' }
const NO_TARGET = { id: null, nome: '', email: '' }

/**
 * Records an act in the caller's transaction, so the act and its record commit together. Works in a transaction of
 * any conta. A refusal has nothing to commit, so it is recorded in a separate transaction.
 */
export async function recordAuditoria(tx: Tx, { ids, clock }: Pick<Deps, 'ids' | 'clock'>, act: NewAto): Promise<void> {
  const { acao, resultado = 'feito', detalhe = '' } = act
  const actor = act.quem ?? NO_ACTOR
  const alvo = act.alvo ?? NO_TARGET
  await tx.kysely
    .insertInto('auditoria')
    .values({
      id: ids.uuid(),
      em: clock.now(),
      acao,
      resultado,
      quemId: actor.usuarioId,
      quemNome: actor.nome,
      quemEmail: actor.email,
      contaId: act.contaId ?? actor.contaId ?? null,
      alvoId: alvo.id,
      alvoNome: alvo.nome,
      alvoEmail: alvo.email ?? '',
      ip: actor.ip.slice(0, IP_MAX),
      detalhe: detalhe.slice(0, DETAIL_MAX).toWellFormed(),
    })
    .execute()
}
