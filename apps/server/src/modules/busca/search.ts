import { excerptOf, foundRanges, type SearchTerm } from '@balcao/engine/search/words'
import { BUSCA_MAXIMO, type Busca } from '@balcao/contract/entities/busca'
import { buscarMensagensRoute } from '@balcao/contract/routes/atendimento-busca'
import { buscaRoute } from '@balcao/contract/routes/busca'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { hasComponente } from '#http/authentication.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { limitSearch, pageOf } from '#http/page.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { listProdutosNamed } from '#modules/produtos/index.ts'
import { listNameGroups, type NameGroup } from './customers.ts'
import { findByName, findTexts, listTexts } from './found.ts'
import { LAST_ID, newest, type SearchPlan } from './plan.ts'
import { searchCustomers } from './people.ts'
import { readTerms } from './terms.ts'

const SLOW_SEARCH = 'A busca demorou demais. Escreva mais palavras e tente de novo.'

/** Runs one read of a search, which may take 2 s. */
type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

export function searchRoutes({ db }: Pick<Deps, 'db'>): BoundRoute[] {
  const readsOf =
    (contaId: string): Read =>
    (work) =>
      db.read(contaId, (tx) => limitSearch(tx, SLOW_SEARCH, work), { planner: 'indexes' })
  return [
    bind(buscarMensagensRoute, ({ sessao, query }) => {
      const { contaId } = sessao
      const { limite, before } = pageOf(query, query.limite)
      const { linha } = query
      const page = { contaId, reader: sessao, linha, before: before ?? LAST_ID, limit: limite + 1 }
      return search(readsOf(contaId), page, query.q)
    }),
    bind(buscaRoute, ({ sessao, query: { q } }) => {
      const { contaId } = sessao
      const page = { contaId, reader: sessao, before: LAST_ID, limit: BUSCA_MAXIMO }
      return searchAll(readsOf(contaId), page, q, hasComponente(sessao, 'lojaWhatsapp'))
    }),
  ]
}

/**
 * Finds messages, notas and names with all words of the query, newest first. The cursor is the id of the last result, or
 * of the last text that was read. During the first round of the task a page may be short and have a next one.
 */
async function search(read: Read, page: Omit<SearchPlan, 'terms'>, query: string) {
  const terms = await read((tx) => readTerms(tx, page, query))
  if (terms.length === 0) return { resultados: [], proximoCursor: null }
  const plan = { ...page, terms }
  return besideNames(read, plan, async (tx, names) => {
    const [named, { ids, until }] = await Promise.all([findByName(tx, plan, names), findTexts(tx, plan, names)])
    // The next page begins below the last text that was read.
    const shown = newest([...ids, ...named], plan.limit).filter((id) => until === null || id >= until)
    const found = await listTexts(tx, { contaId: plan.contaId, ids: shown })
    const resultados = found.slice(0, plan.limit - 1).map((row) => toResult(row, terms))
    const next = found.length < plan.limit ? until : (resultados.at(-1)?.mensagemId ?? null)
    return { resultados, proximoCursor: next }
  })
}

/**
 * Compares the names of all customers while another connection searches the texts. The names ask for their connection
 * first, so a search that has one for its texts never waits for names without one.
 */
async function besideNames<T>(
  read: Read,
  plan: SearchPlan,
  work: (tx: Tx, names: Promise<readonly NameGroup[]>) => Promise<T>,
): Promise<T> {
  const names = read((tx) => listNameGroups(tx, plan))
  const [, result] = await Promise.all([names, read((tx) => work(tx, names))])
  return result
}

type FoundText = Awaited<ReturnType<typeof listTexts>>[number]

function toResult({ texto, nome, telefone, nomeUsuario, ...result }: FoundText, terms: readonly SearchTerm[]) {
  const trecho = excerptOf(texto, terms)
  const cliente = nameOrPhone({ nome, telefone, nomeUsuario })
  return { ...result, cliente, trecho, marcas: foundRanges(trecho, terms) }
}

/** Customers and texts share the terms and the names, which are read once. */
async function searchAll(
  read: Read,
  page: Omit<SearchPlan, 'terms'>,
  query: string,
  withProducts: boolean,
): Promise<Busca> {
  const terms = await read((tx) => readTerms(tx, page, query))
  const plan = { ...page, terms }
  // Without a word the query may still be a part of a number.
  if (terms.length === 0) {
    const people = await read((tx) => searchCustomers(tx, plan, Promise.resolve([]), query))
    return { ...people, mensagens: [], produtos: [] }
  }
  return besideNames(read, plan, async (tx, names) => {
    const [people, texts, produtos] = await Promise.all([
      searchCustomers(tx, plan, names, query),
      findNewestTexts(tx, plan, names),
      withProducts ? listProdutosNamed(tx, { contaId: plan.contaId, words: namesOf(terms), limit: BUSCA_MAXIMO }) : [],
    ])
    return { ...people, mensagens: texts.map((row) => toResult(row, terms)), produtos }
  })
}

const namesOf = (terms: readonly SearchTerm[]): string[] => terms.map(({ word }) => `%${word}%`)

async function findNewestTexts(
  tx: Tx,
  plan: SearchPlan,
  names: Promise<readonly NameGroup[]>,
): Promise<readonly FoundText[]> {
  const { ids } = await findTexts(tx, plan, names)
  return listTexts(tx, { contaId: plan.contaId, ids: newest(ids, BUSCA_MAXIMO) })
}
