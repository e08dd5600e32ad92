import { type Trecho, TRECHOS_BUSCA } from '@balcao/contract/entities/fonte'
import { fuseRankings, questionRoots, unknownRoots, weighWords } from '@balcao/engine/ia/knowledge/rank'
import type { Tx } from '#db/transaction.ts'
import { storedRoot } from '../trechos.ts'
import { listKnownWords, listMatches, listSimilarWords, listTrechos } from './repository.ts'
import {
  type FontesQuestion,
  type KeyedPiece,
  questionVector,
  rankByMeaning,
  type SearchFontesDeps,
} from './vectors.ts'

/** Pieces of each ranking. */
const RANKED = 40
/** A new plan for each question costs more than its words. */
const KEPT_PLANS = { planner: 'indexes' } as const

/** The pieces that fit the question, best first, at most 8. Without an answer of the provider words alone decide. */
export async function searchFontes(deps: SearchFontesDeps, question: FontesQuestion): Promise<Trecho[]> {
  const { db, clock, embeddings } = deps
  const { contaId, access } = question
  const now = clock.now()
  if (access === null || embeddings === undefined)
    return db.read(contaId, async (tx) => readBest(tx, contaId, now, await rankByWords(tx, question, now)), KEPT_PLANS)
  const [vector, byWords] = await Promise.all([
    questionVector(deps, question),
    db.read(contaId, (tx) => rankByWords(tx, question, now), KEPT_PLANS),
  ])
  const space = embeddings.spaceOf(access.provedor)
  const byMeaning = vector === null ? [] : await rankByMeaning(db, { contaId, space, vector, now })
  return db.read(contaId, (tx) => readBest(tx, contaId, now, [...byWords, byMeaning]), KEPT_PLANS)
}

async function readBest(
  tx: Tx,
  contaId: string,
  now: Date,
  [broad = [], exact = [], byMeaning = []]: readonly (readonly KeyedPiece[])[],
): Promise<Trecho[]> {
  // Many questions share no word with their piece, so the broad ranking counts twice.
  const rankings = [broad, broad, exact, byMeaning].map((pieces) => pieces.map(keyOf))
  const best = fuseRankings(rankings).slice(0, TRECHOS_BUSCA)
  if (best.length === 0) return []
  const rows = await listTrechos(tx, { contaId, now, i: best.map(({ key }) => pieceOf(key)) })
  const stored = new Map(rows.map((row) => [keyOf(row), row]))
  return best.flatMap(({ key, score }): Trecho[] => {
    const row = stored.get(key)
    if (row === undefined) return []
    const { fonteId, titulo, pagina, secao, texto } = row
    const trecho = secao === '' || texto.startsWith(secao) ? texto : `${secao}\n${texto}`
    return [{ fonteId, titulo, ...(pagina === null ? {} : { pagina }), trecho, pontuacao: rounded(score) }]
  })
}

const keyOf = ({ fonteId, ordem }: KeyedPiece): string => `${fonteId} ${ordem}`

function pieceOf(key: string): KeyedPiece {
  const [fonteId = '', ordem = ''] = key.split(' ')
  return { fonteId, ordem: Number(ordem) }
}

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000

/** Two rankings: by the words of the question, and also by words of the same subject and by misspelt ones. */
async function rankByWords(tx: Tx, { contaId, pergunta }: FontesQuestion, now: Date): Promise<KeyedPiece[][]> {
  const roots = questionRoots(pergunta)
  if (roots.roots.length === 0) return []
  const known = await listKnownWords(tx, { contaId, words: roots.wanted })
  const unknown = unknownRoots(roots, known)
  const similar = unknown.length === 0 ? [] : await listSimilarWords(tx, { contaId, words: unknown })
  const total = known[0]?.total ?? 0
  const { palavras, raras } = weighWords(roots, known, similar, total)
  if (raras.length === 0) return []
  const quoted = (root: string): string => `'${storedRoot(contaId, root)}'`
  const matches = await listMatches(tx, {
    ...{ contaId, now, max: RANKED * 2, rare: raras.map(quoted).join(' | ') },
    words: palavras.map(({ palavra }) => quoted(palavra)),
    ...{ exact: palavras.map(({ exato }) => exato), broad: palavras.map(({ amplo }) => amplo) },
  })
  const exact = matches.filter(({ exato }) => exato > 0).toSorted((a, b) => b.exato - a.exato)
  const broad = matches.filter(({ amplo }) => amplo > 0).toSorted((a, b) => b.amplo - a.amplo)
  return [broad.slice(0, RANKED), exact.slice(0, RANKED)]
}
