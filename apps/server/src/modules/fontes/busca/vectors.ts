import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { EmbeddingAccess, VectorSpace } from '#ports/fontes/embeddings.ts'

export interface SearchFontesDeps extends Pick<Deps, 'db' | 'clock'> {
  readonly embeddings?: Deps['embeddings'] | undefined
}

export interface FontesQuestion {
  readonly contaId: string
  /** Personal data is masked: with an access the text goes to the provider. */
  readonly pergunta: string
  /** Null: only words are compared. */
  readonly access: EmbeddingAccess | null
  /** The access is of unsaved settings, so it changes no source. */
  readonly isDraft?: boolean
  readonly signal?: AbortSignal
}

export interface KeyedPiece {
  readonly fonteId: string
  readonly ordem: number
}

const RANKED = 40
/** The vectors of 10,000 pieces take 2.6 MB. */
const CACHE_BYTES = 67_108_864
const now = value('now', 'timestamptz')

const listSources = manyRows(
  'fontes: list with vectors',
  z.object({ id: z.string(), lidaEm: z.date(), modelo: z.string() }),
  sql`select id, lida_em, modelo_vetores as modelo from fontes
    where conta_id = ${contaId} and modelo_vetores is not null and lida_em is not null
      and (expira_em is null or expira_em > ${now})`,
)

const queueOtherModels = noRows(
  'fontes: queue vectors of other models',
  sql`update fontes set vetores_em = ${now}, modelo_vetores = null
    where conta_id = ${contaId} and modelo_vetores <> ${value('modelo', 'text')}`,
)

const listVectors = manyRows(
  'fontes: list vectors',
  z.object({ fonteId: z.string(), ordem: z.int(), embedding: z.instanceof(Buffer) }),
  sql`select fonte_id, ordem, embedding from fontes_trechos
    where conta_id = ${contaId} and fonte_id = any (${value('ids', 'uuid[]')}) and embedding is not null`,
)

/** Nothing when the source was read again meanwhile: the vectors are of other pieces. */
export const storeVectors = noRows(
  'fontes: store vectors',
  sql`update fontes_trechos t set embedding = decode(i.vector, 'base64')
    from ${columns('i', { ordem: 'int', vector: 'text' })}
    join fontes f on f.conta_id = ${contaId} and f.id = ${value('id', 'uuid')} and f.lida_em = ${value('lidaEm', 'timestamptz')}
    where t.conta_id = f.conta_id and t.fonte_id = f.id and t.ordem = i.ordem`,
)

/** Stores each number of a vector as one byte. Its length is lost, because only angles are compared. */
export function packVector(vector: readonly number[]): Int8Array {
  const greatest = vector.reduce((most, one) => Math.max(most, Math.abs(one)), 0)
  return Int8Array.from(vector, (one) => (greatest === 0 ? 0 : Math.round((one / greatest) * 127)))
}

interface StoredVector extends KeyedPiece {
  readonly vector: Int8Array
  readonly length: number
}

/** By conta, source, time of its reading and model, so that no entry is ever out of date. */
const cache = new LRUCache<string, readonly StoredVector[]>({
  maxSize: CACHE_BYTES,
  sizeCalculation: (vectors) => vectors.reduce((bytes, { vector }) => bytes + vector.length + 100, 100),
})

/**
 * The vector of the question, or null when no source has vectors of the provider or it does not answer. After a change
 * of the provider the sources get new vectors.
 */
export async function questionVector(
  { db, clock, embeddings }: SearchFontesDeps,
  { contaId: account, pergunta, access, isDraft = false, signal }: FontesQuestion,
): Promise<Int8Array | null> {
  if (access === null || embeddings === undefined) return null
  const at = clock.now()
  const { modelo } = embeddings.spaceOf(access.provedor)
  const sources = await db.read(account, (tx) => listSources(tx, { contaId: account, now: at }))
  if (!isDraft && sources.some((source) => source.modelo !== modelo))
    await db.transaction(account, (tx) => queueOtherModels(tx, { contaId: account, modelo, now: at }))
  if (sources.every((source) => source.modelo !== modelo)) return null
  const vectors = await embeddings.embed(access, [pergunta], 'pergunta', signal)
  const [vector] = vectors ?? []
  return vector === undefined ? null : packVector(vector)
}

interface MeantQuestion {
  readonly contaId: string
  readonly space: VectorSpace
  readonly vector: Int8Array
  readonly now: Date
}

/** The pieces whose vectors point in the most similar direction, best first. */
export async function rankByMeaning(
  db: SearchFontesDeps['db'],
  { contaId: account, space: { modelo }, vector: question, now: at }: MeantQuestion,
): Promise<KeyedPiece[]> {
  const stored = await db.read(account, async (tx) => {
    const sources = await listSources(tx, { contaId: account, now: at })
    const keyed = sources
      .filter((source) => source.modelo === modelo)
      .map(({ id, lidaEm }) => ({ id, key: `${account} ${id} ${lidaEm.getTime()} ${modelo}` }))
    const missing = keyed.filter(({ key }) => !cache.has(key))
    const rows =
      missing.length === 0 ? [] : await listVectors(tx, { contaId: account, ids: missing.map(({ id }) => id) })
    const bySource = Map.groupBy(rows, ({ fonteId }) => fonteId)
    const read = new Map(missing.map(({ id, key }) => [key, (bySource.get(id) ?? []).map(toStored)]))
    for (const [key, vectors] of read) cache.set(key, vectors)
    return keyed.flatMap(({ key }) => cache.get(key) ?? read.get(key) ?? [])
  })
  return stored
    .filter(({ vector, length }) => vector.length === question.length && length > 0)
    .map(({ fonteId, ordem, vector, length }) => ({ fonteId, ordem, score: product(vector, question) / length }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, RANKED)
}

function toStored({ fonteId, ordem, embedding }: KeyedPiece & { readonly embedding: Buffer }): StoredVector {
  const vector = Int8Array.from(embedding, (byte) => (byte > 127 ? byte - 256 : byte))
  return { fonteId, ordem, vector, length: Math.sqrt(product(vector, vector)) }
}

function product(one: Int8Array, other: Int8Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}
