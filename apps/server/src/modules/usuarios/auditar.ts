import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import type { Alvo } from './repository.ts'

export function auditar(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock'>,
  ato: { readonly acao: AcaoAuditoria; readonly quem: Pedinte; readonly detalhe?: string },
  { id, nome, email, contaId }: Pick<Alvo, 'id' | 'nome' | 'email' | 'contaId'>,
): Promise<void> {
  return registrarAuditoria(tx, deps, { ...ato, alvo: { id, nome, email }, contaId })
}
