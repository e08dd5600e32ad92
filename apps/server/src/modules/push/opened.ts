import type { Deps } from '#deps.ts'
import type { BoundRoute } from '#http/handle.ts'
import { Collector } from '#lib/queue/collector.ts'
import { isUuid } from '#lib/text.ts'
import { markOpened, type OpenedConversa } from './notices.ts'

const WAIT_MS = 500
const WAITING_MAX = 10_000
const OPENING = new Set([
  'GET /atendimento/conversas/:id/mensagens',
  'POST /atendimento/conversas/:id/mensagem',
  'POST /atendimento/conversas/:id/assumir',
])

/**
 * Wraps the routes that open a conversa. Those of half a second are stored in one statement after their requests.
 * A crash loses them: the usuario then gets no further notice of these conversas until the next such request.
 */
export function trackOpened(deps: Pick<Deps, 'db' | 'clock' | 'log'>, routes: readonly BoundRoute[]): BoundRoute[] {
  const record = createRecorder(deps)
  return routes.map((route) => {
    if (!OPENING.has(`${route.row.method} ${route.row.path}`)) return route
    return {
      ...route,
      run: async (request, session) => {
        const answer = await route.run(request, session)
        const conversaId = idOf(request.params)
        if (session !== null && isUuid(conversaId)) record({ ...session, conversaId, at: deps.clock.now() })
        return answer
      },
    }
  })
}

function idOf(params: unknown): string {
  return typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''
}

function createRecorder({ db, log }: Pick<Deps, 'db' | 'log'>): (opened: OpenedConversa) => void {
  const opened = new Collector<OpenedConversa>({
    waitMs: WAIT_MS,
    flush: async (o) => {
      try {
        const contas = [...new Set(o.map(({ contaId }) => contaId))]
        await db.transaction(contas, (tx) => markOpened(tx, { o }), { oneTrip: true })
      } catch (error) {
        log.warn({ err: error }, 'opened conversas not stored')
      }
    },
  })
  return ({ contaId, usuarioId, conversaId, at }) => {
    if (opened.waiting < WAITING_MAX) opened.add({ contaId, usuarioId, conversaId, at })
  }
}
