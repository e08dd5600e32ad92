import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { ResultadoBusca } from '@balcao/contract/entities/busca'
import { excerptOf } from '@balcao/engine/search/words'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { limitSearch, pageOf } from '#http/page.ts'
import { nameOrPhone } from '#modules/conversas/index.ts'
import { listNameGroups, type NameGroup } from './customers.ts'
import {
  findByName,
  findOlder,
  findSpread,
  type FoundText,
  findUnread,
  findWhole,
  listTexts,
  type ReadPart,
} from './found.ts'
import { FIRST_ID, LAST_ID, newest, type SearchPlan } from './plan.ts'
import { findProgress, idBefore } from './progress.ts'
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

/** A transaction that began earlier may commit a text with a smaller id than the last one that the task read. */
const LATE_COMMIT_MS = 2 * 60_000
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
  const resultados = found.slice(0, limit - 1).map((row) => toResult(row, excerptOf(row.texto, terms)))
  const next = found.length < limit ? until : (resultados.at(-1)?.mensagemId ?? null)
  return { resultados, proximoCursor: next }
}

/** Finds the newest texts: those that the task did not read yet, and those of the index. */
async function findTexts(tx: Tx, plan: SearchPlan, names: readonly NameGroup[]): Promise<ReadPart> {
  const { limit } = plan
  const progress = await findProgress(tx, plan)
  if (progress === null) return findOlder(tx, plan, LAST_ID)
  const [fresh, indexed] = await Promise.all([
    findUnread(tx, plan, idBefore(progress.ate, LATE_COMMIT_MS)),
    findWhole(tx, plan),
  ])
  const whole = newest([...fresh, ...indexed], limit)
  const floor = whole.length < limit ? FIRST_ID : (whole.at(-1) ?? FIRST_ID)
  const ids = newest([...whole, ...(await findSpread(tx, plan, names, floor))], limit)
  if (progress.oldestBelow === null || ids.length === limit) return { ids, until: null }
  const older = await findOlder(tx, plan, progress.oldestBelow)
  return { ids: newest([...ids, ...older.ids], limit), until: older.until }
}

function toResult(row: FoundText, trecho: string): ResultadoBusca {
  return {
    conversaId: row.conversaId,
    mensagemId: row.id,
    cliente: nameOrPhone(row),
    trecho,
    timestamp: row.criadaEm,
    origem: row.origem === 'telefone' ? 'celular' : row.origem,
  }
}
