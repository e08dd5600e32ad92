import { avisosRoute, lerAvisosRoute } from '@balcao/contract/routes/avisos'
import { inOrder } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { isUuid } from '#lib/text.ts'
import { countUnread, listAvisos, markReadUntil } from './avisos.ts'

export function avisosRoutes({ db, clock }: Pick<Deps, 'db' | 'clock'>): BoundRoute[] {
  return [
    bind(avisosRoute, async ({ sessao: { contaId, usuarioId }, query }) => {
      const page = pageOf(query, query.limite)
      const request = { contaId, usuarioId, before: page.before, max: page.limite + 1 }
      const [read, naoLidos] = await db.read(contaId, (tx) =>
        inOrder([listAvisos(tx, request), countUnread(tx, { contaId, usuarioId })]),
      )
      const { itens, proximoCursor = null } = cutPage(read, page)
      return { avisos: itens, naoLidos, proximoCursor }
    }),
    bind(lerAvisosRoute, async ({ sessao: { contaId, usuarioId }, body: { ate } }) => {
      if (!isUuid(ate)) throw new AppError('naoEncontrado')
      await db.transaction(contaId, (tx) => markReadUntil(tx, { contaId, usuarioId, ate, now: clock.now() }))
    }),
  ]
}
