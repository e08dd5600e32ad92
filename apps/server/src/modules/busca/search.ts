import { excerptOf } from '@balcao/engine/search/words'
import { buscarMensagensRoute } from '@balcao/contract/routes/atendimento-busca'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { limitSearch, pageOf } from '#http/page.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { listNameGroups } from './customers.ts'
import { findByName, findTexts, listTexts } from './found.ts'
import { LAST_ID, newest, type SearchPlan } from './plan.ts'
import { readTerms } from './terms.ts'

const SLOW_SEARCH = 'A busca demorou demais. Escreva mais palavras e tente de novo.'

export function searchRoutes({ db }: Pick<Deps, 'db'>): BoundRoute[] {
  return [
    bind(buscarMensagensRoute, ({ sessao, query }) => {
      const { contaId } = sessao
      const { limite, before } = pageOf(query, query.limite)
      const page = { contaId, reader: sessao, before: before ?? LAST_ID, limit: limite + 1 }
      return db.read(contaId, (tx) => limitSearch(tx, SLOW_SEARCH, (limited) => search(limited, page, query.q)))
    }),
  ]
}

/**
 * Finds messages, notas and names with all words of the query, newest first. The cursor is the id of the last result, or
 * of the last text that was read. During the first round of the task a page may be short and have a next one.
 */
async function search(tx: Tx, page: Omit<SearchPlan, 'terms'>, query: string) {
  const terms = await readTerms(tx, page, query)
  if (terms.length === 0) return { resultados: [], proximoCursor: null }
  const plan = { ...page, terms }
  const names = await listNameGroups(tx, plan)
  const [named, { ids, until }] = await Promise.all([findByName(tx, plan, names), findTexts(tx, plan, names)])
  // The next page begins below the last text that was read.
  const read = newest([...ids, ...named], plan.limit).filter((id) => until === null || id >= until)
  const found = await listTexts(tx, { contaId: plan.contaId, ids: read })
  const resultados = found.slice(0, plan.limit - 1).map(({ texto, nome, telefone, nomeUsuario, ...result }) => ({
    ...result,
    cliente: nameOrPhone({ nome, telefone, nomeUsuario }),
    trecho: excerptOf(texto, terms),
  }))
  const next = found.length < plan.limit ? until : (resultados.at(-1)?.mensagemId ?? null)
  return { resultados, proximoCursor: next }
}
