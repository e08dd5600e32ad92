import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { RequestSession } from '#http/authentication.ts'
import { updateConta } from '#modules/contas/index.ts'
import { type ChangeContaDeps, changeConta } from './change-conta.ts'
import { inPortuguese } from '#modules/usuarios/rules.ts'

export function changeLimite(
  deps: ChangeContaDeps,
  actor: RequestSession,
  id: string,
  limiteMensagensDia: number,
): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'limiteAlterado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await updateConta(tx, contaId, { limiteMensagensDia })
      return `De ${inPortuguese(before.limiteMensagensDia)} para ${inPortuguese(limiteMensagensDia)} mensagens por dia`
    },
  })
}
