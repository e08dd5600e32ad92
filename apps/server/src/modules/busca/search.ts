import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { ResultadoBusca } from '@balcao/contract/entities/busca'
import { excerptOf } from '@balcao/engine/search/words'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { limitSearch, pageOf } from '#http/page.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { listNameGroups } from './customers.ts'
import { findByName, findTexts, listTexts } from './found.ts'
import { LAST_ID, newest, type SearchPlan } from './plan.ts'
import { readTerms } from './terms.ts'

export interface SearchRequest {
  readonly contaId: string
  readonly reader: ConversaReader
  readonly q: string
  readonly limite: number
  readonly cursor?: string | undefined
}

interface SearchPage {
  readonly resultados: ResultadoBusca[]
  readonly proximoCursor: string | null
}

const SLOW_SEARCH = 'A busca demorou demais. Escreva mais palavras e tente de novo.'

/**
 * Finds messages, notas and names with all words of the query, newest first. The cursor is the id of the last result, or
 * of the last text that was read. During the first round of the task a page may be short and have a next one. Throws
 * `dadosInvalidos` for an unknown cursor and `servidorOcupado` after 2 s.
 */
export function searchMensagens({ db }: Pick<Deps, 'db'>, request: SearchRequest): Promise<SearchPage> {
  const { contaId, limite } = request
  const { before } = pageOf(request, limite)
  const plan = { ...request, before: before ?? LAST_ID, limit: limite + 1 }
  return db.read(contaId, (tx) => limitSearch(tx, SLOW_SEARCH, (limited) => readPage(limited, plan)))
}

async function readPage(tx: Tx, request: Omit<SearchPlan, 'terms'> & Pick<SearchRequest, 'q'>): Promise<SearchPage> {
  const { limit } = request
  const terms = await readTerms(tx, request, request.q)
  if (terms.length === 0) return { resultados: [], proximoCursor: null }
  const plan = { ...request, terms }
  const names = await listNameGroups(tx, plan)
  const [named, { ids, until }] = await Promise.all([findByName(tx, plan, names), findTexts(tx, plan, names)])
  // Below the last text that was read, the next page begins.
  const read = newest([...ids, ...named], limit).filter((id) => until === null || id >= until)
  const found = await listTexts(tx, { contaId: plan.contaId, ids: read })
  const resultados = found.slice(0, limit - 1).map(({ texto, nome, telefone, nomeUsuario, ...result }) => ({
    ...result,
    ...{ cliente: nameOrPhone({ nome, telefone, nomeUsuario }), trecho: excerptOf(texto, terms) },
  }))
  const next = found.length < limit ? until : (resultados.at(-1)?.mensagemId ?? null)
  return { resultados, proximoCursor: next }
}
