import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { ResultadoBusca } from '@balcao/contract/entities/busca'
import { excerptOf, parseSearch } from '@balcao/engine/search/words'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { limitSearch, pageOf } from '#http/page.ts'
import { nameOrPhone } from '#modules/conversas/index.ts'
import { findByName, findNotas, type FoundRow, findUnread, findWithIndex, readFound } from './found.ts'
import type { SearchPlan } from './plan.ts'
import { LAST_ID, readProgress } from './progress.ts'

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
 * Finds messages, notas and names with all words of the query, newest first. The cursor is the id of the last result.
 * Throws `dadosInvalidos` for an unknown cursor and `servidorOcupado` after 2 s.
 */
export function searchMensagens({ db }: Pick<Deps, 'db'>, request: SearchRequest): Promise<SearchPage> {
  const { contaId, reader, limite } = request
  const { before } = pageOf(request, limite)
  const terms = parseSearch(request.q)
  if (terms.length === 0) return Promise.resolve({ resultados: [], proximoCursor: null })
  const plan: SearchPlan = { contaId, reader, terms, before: before ?? LAST_ID, limit: limite + 1 }
  return db.read(contaId, (tx) => limitSearch(tx, SLOW_SEARCH, () => readPage(tx, plan)))
}

async function readPage(tx: Tx, plan: SearchPlan): Promise<SearchPage> {
  const { contaId, limit, terms } = plan
  const [ids, named, notas] = await Promise.all([findMensagens(tx, plan), findByName(tx, plan), findNotas(tx, plan)])
  const texts = await readFound(tx, contaId, newest([...ids, ...named], limit))
  const found = [...texts, ...notas].toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit)
  const resultados = found.slice(0, limit - 1).map((row) => toResult(row, excerptOf(row.texto, terms)))
  return { resultados, proximoCursor: found.length < limit ? null : (resultados.at(-1)?.mensagemId ?? null) }
}

/** Ids of messages, newest first: those that the task did not read yet, then those of the index. */
async function findMensagens(tx: Tx, plan: SearchPlan): Promise<string[]> {
  const progress = await readProgress(tx, plan.contaId)
  const [fresh, indexed] = await Promise.all([
    progress === null ? [] : findUnread(tx, plan, progress.newest),
    progress === null ? [] : findWithIndex(tx, plan),
  ])
  const ids = newest([...fresh, ...indexed], plan.limit)
  const oldest = progress === null ? { below: LAST_ID } : progress.oldest
  if (oldest === null || ids.length === plan.limit) return ids
  return newest([...ids, ...(await findUnread(tx, plan, oldest))], plan.limit)
}

function newest(ids: readonly string[], limit: number): string[] {
  return [...new Set(ids)].toSorted((one, other) => (one < other ? 1 : -1)).slice(0, limit)
}

function toResult(row: FoundRow, trecho: string): ResultadoBusca {
  return {
    conversaId: row.conversa_id,
    mensagemId: row.id,
    cliente: nameOrPhone(row),
    trecho,
    timestamp: row.criada_em.toISOString(),
    origem: row.origem === 'telefone' ? 'celular' : row.origem,
  }
}
