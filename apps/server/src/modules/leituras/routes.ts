import { contagensRoute, fixarRoute, leituraRoute, lembrarRoute } from '@balcao/contract/routes/atendimento-leituras'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { createSharedReads } from '#lib/queue/share-reads.ts'
import { numbersOfPerson, readViewNumbers } from './counts.ts'
import { markConversa } from './mark.ts'

export function markRoutes(deps: Pick<Deps, 'db' | 'clock' | 'realtime'>): BoundRoute[] {
  const { db, clock } = deps
  // The people of a conta ask at the same time, and their numbers come from the same rows.
  const numbersOf = createSharedReads<Awaited<ReturnType<typeof readViewNumbers>>>()
  return [
    bind(contagensRoute, async ({ sessao }) => {
      const { contaId } = sessao
      const numbers = await numbersOf(contaId, () =>
        db.read(contaId, (tx) => readViewNumbers(tx, [contaId], clock.now()), { oneTrip: true }),
      )
      const counted = numbers.get(contaId)
      if (counted === undefined) throw new Error('conta without numbers')
      return numbersOfPerson(sessao, counted)
    }),
    bind(leituraRoute, ({ sessao, params, body }) =>
      markConversa(deps, sessao, params.id, 'ate' in body ? { tipo: 'leu', ate: body.ate } : { tipo: 'naoLida' }),
    ),
    bind(lembrarRoute, ({ sessao, params, body: { em } }) =>
      markConversa(deps, sessao, params.id, { tipo: 'lembrar', em: em === null ? null : new Date(em) }),
    ),
    bind(fixarRoute, ({ sessao, params, body: { fixada } }) =>
      markConversa(deps, sessao, params.id, { tipo: 'fixar', fixada }),
    ),
  ]
}
