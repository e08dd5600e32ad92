import type { Lacuna } from '@balcao/contract/entities/lacuna'
import { findGaps, type FoundGap } from '@balcao/engine/ia/gaps/find-gaps'
import { inOrder } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { firstIdAt } from '#ids.ts'
import { runSliced } from '#lib/queue/run-sliced.ts'
import { insertIgnored, listFirstWords, listIgnored, listNames, listUnanswered, TEXTS_MAX } from './repository.ts'

const DAY_MS = 86_400_000

export type GapsDeps = Pick<Deps, 'db' | 'clock'>

export interface GapList {
  readonly lacunas: Lacuna[]
  readonly analisadas: number
}

export async function listGaps(deps: GapsDeps, contaId: string, dias: number): Promise<GapList> {
  const { found, analisadas } = await compareTexts(deps, contaId, dias)
  return { lacunas: found.map(({ textoIds: _, ...lacuna }) => lacuna), analisadas }
}

/** Throws `naoEncontrado` for an id that is not in the list of these days. An ignored one stays ignored. */
export async function ignoreGap(deps: GapsDeps, contaId: string, lacuna: { id: string; dias: number }) {
  const { id, dias } = lacuna
  const { found, ignoradas } = await compareTexts(deps, contaId, dias)
  if (ignoradas.has(id)) return
  if (found.every((gap) => gap.id !== id)) throw new AppError('naoEncontrado')
  await deps.db.transaction(contaId, (tx) => insertIgnored(tx, { contaId, id, em: deps.clock.now() }))
}

interface Compared {
  readonly found: readonly FoundGap[]
  readonly analisadas: number
  readonly ignoradas: ReadonlySet<string>
}

/** Compares outside the transaction, so that no connection waits for it. */
async function compareTexts({ db, clock }: GapsDeps, contaId: string, dias: number): Promise<Compared> {
  const firstId = firstIdAt(new Date(clock.now().getTime() - dias * DAY_MS))
  const [unanswered, first, names, ignored] = await db.read(contaId, (tx) =>
    inOrder([
      listUnanswered(tx, { contaId, firstId }),
      listFirstWords(tx, { contaId, firstId }),
      listNames(tx, { contaId }),
      listIgnored(tx, { contaId }),
    ]),
  )
  const textos = [...unanswered, ...first].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, TEXTS_MAX)
  const ignoradas = new Set(ignored.map(({ id }) => id))
  const found = await runSliced(findGaps({ textos, nomes: names.map(({ nome }) => nome), ignoradas }))
  return { found, analisadas: textos.length, ignoradas }
}
