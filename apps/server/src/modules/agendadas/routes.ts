import {
  agendadasRoute,
  agendarMensagemRoute,
  cancelarAgendadaRoute,
} from '@balcao/contract/routes/atendimento-agendadas'
import { type BoundRoute, bind } from '#http/handle.ts'
import { pageOf } from '#http/page.ts'
import { cancelScheduled, listScheduled, type ScheduleDeps, scheduleMensagem } from './schedule.ts'

export function agendadasRoutes(deps: ScheduleDeps): BoundRoute[] {
  return [
    bind(agendarMensagemRoute, async ({ sessao, params, body }) => ({
      agendada: await scheduleMensagem(deps, sessao, { conversaId: params.id, ...body }),
    })),
    bind(agendadasRoute, ({ sessao, params, query }) =>
      listScheduled(deps, sessao, params.id, pageOf(query, query.limite)),
    ),
    bind(cancelarAgendadaRoute, ({ sessao, params }) => cancelScheduled(deps, sessao, params.id)),
  ]
}
