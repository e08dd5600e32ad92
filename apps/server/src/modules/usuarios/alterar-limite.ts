import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { type AlterarDeps, alterarConta, updateConta } from './alterar-conta.ts'

export function alterarLimite(deps: AlterarDeps, id: string, limiteMensagensDia: number): Promise<UsuarioAdmin> {
  return alterarConta(deps, id, (tx, { contaId }) => updateConta(tx, contaId, { limiteMensagensDia }))
}
