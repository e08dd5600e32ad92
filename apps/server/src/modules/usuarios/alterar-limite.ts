import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Pedinte } from '#http/authentication.ts'
import { type AlterarDeps, alterarConta, updateConta } from './alterar-conta.ts'
import { emPortugues } from './rules.ts'

export function alterarLimite(
  deps: AlterarDeps,
  quem: Pedinte,
  id: string,
  limiteMensagensDia: number,
): Promise<UsuarioAdmin> {
  return alterarConta(deps, {
    ...{ acao: 'limiteAlterado', quem, id },
    fazer: async (tx, { contaId }, antes) => {
      await updateConta(tx, contaId, { limiteMensagensDia })
      return `De ${emPortugues(antes.limiteMensagensDia)} para ${emPortugues(limiteMensagensDia)} mensagens por dia`
    },
  })
}
