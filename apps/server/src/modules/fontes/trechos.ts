import * as z from 'zod/mini'
import type { TrechoLido } from '@balcao/contract/entities/fonte'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { RootedPiece } from './leitura/root-pieces.ts'
import type { FonteKey } from './repository.ts'

const fonteId = value('id', 'uuid')

/** Digits of the conta id before each stored root, as in the search of messages. */
const CONTA_DIGITS = 6
export const storedRoot = (account: string, root: string): string => `${account.slice(-CONTA_DIGITS)}${root}`

const deletePieces = noRows(
  'fontes: delete pieces',
  sql`delete from fontes_trechos where conta_id = ${contaId} and fonte_id = ${fonteId}`,
)
const deleteWords = noRows(
  'fontes: delete words',
  sql`delete from fontes_palavras where conta_id = ${contaId} and fonte_id = ${fonteId}`,
)

const insertPieces = noRows(
  'fontes: insert pieces',
  sql`insert into fontes_trechos (conta_id, fonte_id, ordem, pagina, secao, texto, vetor)
    select ${contaId}, ${fonteId}, ordem, pagina, secao, texto, coalesce(array_to_tsvector(string_to_array(nullif(roots, ''), ' ')), '')
    from ${columns('i', { ordem: 'int', pagina: 'int?', secao: 'text', texto: 'text', roots: 'text' })}`,
)

const insertWords = noRows(
  'fontes: insert words',
  sql`insert into fontes_palavras (conta_id, palavra, fonte_id, trechos)
    select ${contaId}, palavra, ${fonteId}, trechos from ${columns('i', { palavra: 'text', trechos: 'int' })}`,
)

/** Other requests run between the statements. */
const PIECES_PER_STATEMENT = 50
const WORDS_PER_STATEMENT = 500

/** Replaces the pieces of a source. A search finds the old or the new ones, never both. */
export async function storePieces(tx: Tx, key: FonteKey, pieces: readonly RootedPiece[]): Promise<void> {
  const counts = new Map<string, number>()
  await deletePieces(tx, key)
  await deleteWords(tx, key)
  const numbered = pieces.map((piece, index) => ({ ...piece, ordem: index + 1 }))
  for (const part of partsOf(numbered, PIECES_PER_STATEMENT)) {
    for (const { roots } of part) for (const root of roots) counts.set(root, (counts.get(root) ?? 0) + 1)
    const i = part.map(({ pagina = null, secao, texto, roots, ordem }) => ({
      ...{ ordem, pagina, secao, texto },
      roots: roots.map((root) => storedRoot(key.contaId, root)).join(' '),
    }))
    await insertPieces(tx, { ...key, i })
  }
  const words = [...counts].map(([palavra, trechos]) => ({ palavra, trechos }))
  for (const i of partsOf(words, WORDS_PER_STATEMENT)) await insertWords(tx, { ...key, i })
}

function partsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )
}

const listRows = manyRows(
  'fontes: list pieces',
  z.object({ ordem: z.int(), pagina: z.nullable(z.int()), secao: z.string(), texto: z.string() }),
  sql`select ordem, pagina, secao, texto from fontes_trechos
    where conta_id = ${contaId} and fonte_id = ${fonteId} and ordem > ${value('after', 'int')}
    order by ordem limit ${value('max', 'int')}`,
)

export async function listPieces(tx: Tx, page: Parameters<typeof listRows>[1]): Promise<TrechoLido[]> {
  return (await listRows(tx, page)).map(({ pagina, texto, ...row }) => ({
    ...row,
    ...(pagina === null ? {} : { pagina }),
    trecho: texto,
  }))
}
