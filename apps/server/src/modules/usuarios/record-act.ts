import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import type { UsuarioRef } from './repository.ts'

export function recordAct(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock'>,
  act: { readonly acao: AcaoAuditoria; readonly quem: RequestSession; readonly detalhe?: string },
  { id, nome, email, contaId }: Pick<UsuarioRef, 'id' | 'nome' | 'email' | 'contaId'>,
): Promise<void> {
  return recordAuditoria(tx, deps, { ...act, alvo: { id, nome, email }, contaId })
}
