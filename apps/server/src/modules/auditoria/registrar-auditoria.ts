import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

const IP_MAXIMO = 100
const TEXTO_MAXIMO = 300

/** Whoever asks: a request's session has all of it. Without an id, somebody who could not be told apart from a stranger. */
export interface Quem {
  readonly usuarioId: string | null
  readonly contaId?: string | null
  readonly nome: string
  readonly email: string
  readonly ip: string
}

export interface NovoAto {
  readonly acao: AcaoAuditoria
  /** Null: the product, of its own accord. */
  readonly quem: Quem | null
  /** On whom, when it is somebody else. */
  readonly alvo?: { readonly id: string; readonly nome: string; readonly email?: string }
  /** The account it is about; that of `quem` unless said. */
  readonly contaId?: string
  readonly resultado?: 'feito' | 'recusado'
  /** For the administrator, in Portuguese. Never a secret, a customer's words, a name or a whole telephone number. */
  readonly detalhe?: string
}

/**
 * Writes an act down in the caller's transaction: it is on the trail exactly when it happened. Any transaction may, whatever
 * accounts it sees; a refusal, which has nothing to commit, is written in one of its own.
 */
export async function registrarAuditoria(
  tx: Tx,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  ato: NovoAto,
): Promise<void> {
  const { acao, quem, alvo, resultado = 'feito', detalhe = '' } = ato
  await tx.kysely
    .insertInto('auditoria')
    .values({
      id: ids.uuid(),
      em: clock.now(),
      acao,
      resultado,
      quemId: quem?.usuarioId ?? null,
      quemNome: quem?.nome ?? '',
      quemEmail: quem?.email ?? '',
      contaId: ato.contaId ?? quem?.contaId ?? null,
      alvoId: alvo?.id ?? null,
      alvoNome: alvo?.nome ?? '',
      alvoEmail: alvo?.email ?? '',
      ip: quem?.ip.slice(0, IP_MAXIMO) ?? '',
      detalhe: detalhe.slice(0, TEXTO_MAXIMO).toWellFormed(),
    })
    .execute()
}
