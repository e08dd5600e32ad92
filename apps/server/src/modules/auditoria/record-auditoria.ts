import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { firstIdAt } from '#ids.ts'
import { hasNoRoom, insertAto } from './repository.ts'

const IP_MAX = 100
const DETAIL_MAX = 300

/** `usuarioId` is null for an unknown person, such as a failed login. */
export interface AuditActor {
  readonly usuarioId: string | null
  readonly contaId?: string | null
  readonly nome: string
  readonly email: string
  readonly ip: string
}

interface NewAto {
  readonly acao: AcaoAuditoria
  /** Null if the product itself acted. */
  readonly quem: AuditActor | null
  readonly alvo?: { readonly id: string; readonly nome: string; readonly email?: string }
  /** Default: the conta of `quem`. */
  readonly contaId?: string
  readonly resultado?: 'feito' | 'recusado'
  /** In Portuguese. Must not contain secrets, customer messages, names or full phone numbers. */
  readonly detalhe?: string
}

const DAY_MS = 86_400_000
/** Limited by the counters of logins, or deletes more than the record stores. */
const UNCOUNTED: readonly AcaoAuditoria[] = [
  ...(['entrar', 'sair', 'redefinicaoPedida', 'senhaRedefinida', 'codigoRecuperacaoUsado', 'contaCadastrada'] as const),
  ...(['dadosApagados', 'conversasLimpas'] as const),
]

const NO_ACTOR = { usuarioId: null, contaId: null, nome: '', email: '', ip: '' }
const NO_TARGET = { id: null, nome: '', email: '' }

type AuditDeps = Pick<Deps, 'ids' | 'clock'>

/** Acts of administrators on other contas are not bounded. */
async function requireRoom(tx: Tx, { clock }: AuditDeps, act: NewAto): Promise<void> {
  const { usuarioId, contaId } = act.quem ?? NO_ACTOR
  if (usuarioId === null || contaId === null || contaId === undefined) return
  if (act.contaId !== undefined && act.contaId !== contaId) return
  if (act.resultado === 'recusado' || UNCOUNTED.includes(act.acao)) return
  const since = firstIdAt(new Date(clock.now().getTime() - DAY_MS))
  if (!(await hasNoRoom(tx, { contaId, usuarioId, since, uncounted: UNCOUNTED }))) return
  const erro = 'Sua loja fez alterações demais em 24 horas. Tente de novo mais tarde.'
  throw new AppError('muitasTentativas', { erro, tentarEmS: 3_600 })
}

/**
 * Commits with the act, in a transaction of any conta. Throws `muitasTentativas`, which rolls the act back: an act
 * without its record must not be.
 */
export async function recordAuditoria(tx: Tx, deps: AuditDeps, act: NewAto): Promise<void> {
  const { acao, resultado = 'feito', detalhe = '' } = act
  const actor = act.quem ?? NO_ACTOR
  const alvo = act.alvo ?? NO_TARGET
  await requireRoom(tx, deps, act)
  await insertAto(tx, {
    id: deps.ids.uuid(),
    em: deps.clock.now(),
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
}
