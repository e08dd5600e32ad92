import { respostasRapidasRoute, salvarRespostasRapidasRoute } from '@balcao/contract/routes/atendimento-equipe'
import {
  atualizarOperadorRoute,
  criarOperadorRoute,
  excluirOperadorRoute,
  operadoresRoute,
  reenviarConviteRoute,
} from '@balcao/contract/routes/operadores'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { alterarOperador } from './alterar-operador.ts'
import { criarOperador } from './criar-operador.ts'
import { excluirOperador } from './excluir-operador.ts'
import { reenviarConvite } from './reenviar-convite.ts'
import { listOperadores, listRespostas } from './repository.ts'
import { versaoDasRespostas } from './rules.ts'
import { salvarRespostas } from './salvar-respostas.ts'

type EquipeDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'settings' | 'realtime' | 'forgetSessions'>

export function equipeRoutes(deps: EquipeDeps): BoundRoute[] {
  return [
    bind(operadoresRoute, async ({ sessao: { contaId } }) => ({
      operadores: await deps.db.read(contaId, (tx) => listOperadores(tx, contaId)),
    })),
    bind(criarOperadorRoute, async ({ sessao, body }) => ({ operador: await criarOperador(deps, sessao, body) })),
    bind(atualizarOperadorRoute, async ({ sessao, params, body }) => ({
      operador: await alterarOperador(deps, sessao, params.id, body),
    })),
    bind(excluirOperadorRoute, async ({ sessao, params }) => {
      await excluirOperador(deps, sessao, params.id)
      return { sucesso: true as const }
    }),
    bind(reenviarConviteRoute, async ({ sessao, params }) => ({
      operador: await reenviarConvite(deps, sessao, params.id),
    })),
    bind(respostasRapidasRoute, async ({ sessao: { contaId } }) => {
      const respostas = await deps.db.read(contaId, (tx) => listRespostas(tx, contaId))
      return { respostas, versao: versaoDasRespostas(respostas) }
    }),
    bind(salvarRespostasRapidasRoute, async ({ sessao: { contaId }, body: { respostas, versao } }) => {
      await salvarRespostas(deps, contaId, respostas, versao)
      return { respostas, versao: versaoDasRespostas(respostas) }
    }),
  ]
}
