import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { ResultadoBusca } from '@balcao/contract/entities/busca'
import { excerptOf, parseSearch } from '@balcao/engine/search/words'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { limitSearch, pageOf } from '#http/page.ts'
import { nameOrPhone } from '#modules/conversas/index.ts'
import { correctTerms } from './corrections.ts'
import { type FoundRow, findWithIndex, readFound } from './found.ts'
import { findByName, listNameGroups, type NameGroup } from './names.ts'
import { findNotas } from './notas.ts'
import type { SearchPlan } from './plan.ts'
import { FIRST_ID, LAST_ID, readProgress, type SearchProgress } from './progress.ts'
import { findSpread } from './spread.ts'
import { findFresh, findOlder } from './unread.ts'
import { allOfTerms } from './vectors.ts'

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
 * of the last message that was read. During the first round of the task a page may be short and have a next one. Throws
 * `dadosInvalidos` for an unknown cursor and `servidorOcupado` after 2 s.
 */
export function searchMensagens({ db }: Pick<Deps, 'db'>, request: SearchRequest): Promise<SearchPage> {
  const { contaId, reader, limite } = request
  const { before } = pageOf(request, limite)
  const terms = parseSearch(request.q)
  if (terms.length === 0) return Promise.resolve({ resultados: [], proximoCursor: null })
  const plan: SearchPlan = { contaId, reader, terms, before: before ?? LAST_ID, limit: limite + 1 }
  return db.read(contaId, (tx) => limitSearch(tx, SLOW_SEARCH, (limited) => readPage(limited, plan)))
}

async function readPage(tx: Tx, request: SearchPlan): Promise<SearchPage> {
  const { contaId, limit } = request
  const terms = await correctTerms(tx, contaId, request.terms)
  const plan = { ...request, terms }
  const [names, progress] = await Promise.all([listNameGroups(tx, plan), readProgress(tx, contaId)])
  const [named, notas] = await Promise.all([
    findByName(tx, plan, names),
    findNotas(tx, plan, names, progress?.notas === true),
  ])
  const read = await findMensagens(tx, plan, names, progress)
  const texts = await readFound(tx, contaId, newest([...read.ids, ...named], limit))
  const all = [...texts, ...notas.rows].toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit)
  // Below the last message and nota that were read, the next page begins.
  const until = later(read.until, notas.until)
  const found = all.filter(({ id }) => until === null || id >= until)
  const resultados = found.slice(0, limit - 1).map((row) => toResult(row, excerptOf(row.texto, terms)))
  const next = found.length < limit ? until : (resultados.at(-1)?.mensagemId ?? null)
  return { resultados, proximoCursor: next }
}

interface ReadMensagens {
  readonly ids: readonly string[]
  /** Messages with smaller ids were not read. Null: all were. */
  readonly until: string | null
}

/** Ids of messages, newest first: those that the task did not read yet, then those of the index. */
async function findMensagens(
  tx: Tx,
  plan: SearchPlan,
  names: readonly NameGroup[],
  progress: SearchProgress | null,
): Promise<ReadMensagens> {
  const { limit } = plan
  const ids = progress === null ? [] : await findRead(tx, plan, names, progress.newestAbove)
  const oldest = progress === null ? LAST_ID : progress.oldestBelow
  if (oldest === null || ids.length === limit) return { ids, until: null }
  const older = await findOlder(tx, plan, oldest)
  return { ids: newest([...ids, ...older.ids], limit), until: older.until }
}

/** Ids of messages in the index, and of those newer than `above`. */
async function findRead(tx: Tx, plan: SearchPlan, names: readonly NameGroup[], above: string): Promise<string[]> {
  const { contaId, limit, terms } = plan
  const query = { words: allOfTerms(contaId, terms), floor: FIRST_ID, names: null }
  const [fresh, indexed] = await Promise.all([findFresh(tx, plan, above), findWithIndex(tx, plan, query)])
  const whole = newest([...fresh, ...indexed], limit)
  const floor = whole.length < limit ? FIRST_ID : (whole.at(-1) ?? FIRST_ID)
  return newest([...whole, ...(await findSpread(tx, plan, names, floor))], limit)
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

function newest(ids: readonly string[], limit: number): string[] {
  return [...new Set(ids)].toSorted((one, other) => (one < other ? 1 : -1)).slice(0, limit)
}

function toResult(row: FoundRow, trecho: string): ResultadoBusca {
  return {
    conversaId: row.conversa_id,
    mensagemId: row.id,
    cliente: nameOrPhone({ ...row, nomeUsuario: row.nome_usuario }),
    trecho,
    timestamp: row.criada_em.toISOString(),
    origem: row.origem === 'telefone' ? 'celular' : row.origem,
  }
}
