import {
  atendentesRoute,
  respostasRapidasRoute,
  salvarRespostasRapidasRoute,
} from '@balcao/contract/routes/atendimento-equipe'
import {
  atualizarOperadorRoute,
  criarOperadorRoute,
  excluirOperadorRoute,
  operadoresRoute,
  reenviarConviteRoute,
} from '@balcao/contract/routes/operadores'
import { encerrarSessoesOperadorRoute, removerSegundoFatorOperadorRoute } from '@balcao/contract/routes/sessoes'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { endSessionsOf, removeSecondFactors } from '#modules/auth/index.ts'
import { changeOperador, deleteOperador } from './change-operador.ts'
import { createOperador, resendConvite } from './create-operador.ts'
import { listAtendentes, listOperadores, lockOperador } from './repository.ts'
import { readRespostas, saveRespostas } from './respostas.ts'

type EquipeDeps = Pick<
  Deps,
  'db' | 'ids' | 'clock' | 'vault' | 'passwords' | 'mailQueued' | 'mailer' | 'settings' | 'realtime' | 'forgetSessions'
>

export function equipeRoutes(deps: EquipeDeps): BoundRoute[] {
  return [
    bind(operadoresRoute, async ({ sessao: { contaId } }) => ({
      operadores: await deps.db.read(contaId, (tx) => listOperadores(tx, { contaId })),
    })),
    bind(criarOperadorRoute, ({ sessao, body }) => createOperador(deps, sessao, body)),
    bind(atualizarOperadorRoute, async ({ sessao, params, body }) => ({
      operador: await changeOperador(deps, sessao, params.id, body),
    })),
    bind(excluirOperadorRoute, async ({ sessao, params }) => {
      await deleteOperador(deps, sessao, params.id)
      return { sucesso: true as const }
    }),
    bind(reenviarConviteRoute, ({ sessao, params }) => resendConvite(deps, sessao, params.id)),
    bind(encerrarSessoesOperadorRoute, ({ sessao, params }) =>
      deps.db.transaction(sessao.contaId, async (tx) => {
        const operador = await lockOperador(tx, sessao.contaId, params.id)
        await endSessionsOf(tx, deps, sessao, { ...operador, contaId: sessao.contaId })
      }),
    ),
    bind(removerSegundoFatorOperadorRoute, ({ sessao, params }) =>
      deps.db.transaction(sessao.contaId, async (tx) => {
        const operador = await lockOperador(tx, sessao.contaId, params.id)
        await removeSecondFactors(tx, deps, sessao, { ...operador, contaId: sessao.contaId })
      }),
    ),
    bind(atendentesRoute, async ({ sessao: { contaId } }) => ({
      atendentes: await deps.db.read(contaId, (tx) => listAtendentes(tx, { contaId })),
    })),
    bind(respostasRapidasRoute, ({ sessao }) => readRespostas(deps, sessao)),
    bind(salvarRespostasRapidasRoute, ({ sessao, body }) => saveRespostas(deps, sessao, body)),
  ]
}
