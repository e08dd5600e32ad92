import * as z from 'zod/mini'
import { FOLDED_MAX, foldedWords } from '@balcao/engine/search/words'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Database, Tx } from '#db/transaction.ts'
import { FIRST_ID, idBefore, LAST_ID } from '#modules/busca/progress.ts'
import { lexemesOf, wordsOfLexemes } from '#modules/busca/vectors.ts'
import { deleteUnreadWords, storeWords, WordCounts } from './vocabulary.ts'

const BATCH_ROWS = 2_000
/** Long texts end a batch earlier: it must fit into memory, and its words into one statement. */
const BATCH_BYTES = 1_000_000
/** The loop is free after so many milliseconds of folding. */
const FOLD_MS = 10
/** WhatsApp allows edits for 15 minutes. An edited message is read again. */
const EDIT_MS = 20 * 60_000
/** Messages with ids of an earlier time are found by a check of all messages, which also cleans the vocabulary. */
export const CHECK_DAYS = 7

const stateSchema = z.object({ ate: z.string(), desde: z.nullable(z.string()), rodada: z.number() })
type State = z.output<typeof stateSchema>

async function readState(tx: Tx, contaId: string): Promise<State | undefined> {
  const [state] = await tx.rows(stateSchema, 'select ate, desde, rodada from busca_contas where conta_id = $1', [
    contaId,
  ])
  return state
}

export interface Reading {
  readonly db: Database
  readonly contaId: string
  /** Called for each text that cannot be stored. The texts after it are read as usual. */
  readonly skipped: (error: unknown) => void
}

/**
 * Reads a batch of new texts, the oldest first, after the id that the batch before returned. Returns null after the last
 * one. The texts of a conta that was not begun are left to `readOlder`.
 */
export async function readNewer(reading: Reading, after: string | null): Promise<string | null> {
  const { db, contaId } = reading
  const read = await db.transaction(contaId, async (tx) => {
    const state = await readState(tx, contaId)
    if (state === undefined) {
      await tx.query(BEGIN_SQL, [contaId])
      return null
    }
    const above = after ?? idBefore(state.ate, EDIT_MS)
    const range = { above, below: LAST_ID, order: 'asc', unreadAfter: state.ate } as const
    return { state, batch: await readBatch(tx, contaId, range) }
  })
  if (read === null) return null
  const { texts, last } = read.batch
  await storeTexts(reading, await foldAll(texts), read.state.rodada)
  const newest = texts.findLast(({ tipo }) => tipo === 'mensagem')?.id ?? read.state.ate
  await db.transaction(contaId, (tx) =>
    tx.query('update busca_contas set ate = greatest(ate, $2::uuid), lida_em = now() where conta_id = $1', [
      contaId,
      newest,
    ]),
  )
  return last
}

const BEGIN_SQL = `
insert into busca_contas (conta_id, ate, desde, rodada, notas_rodada, lida_em)
select conta_id, id, '${LAST_ID}', 1, 1, now() from mensagens where conta_id = $1 order by id desc limit 1
on conflict do nothing`

/** Reads one batch of older texts. Returns true if there are more. Begins a check after seven days. */
export async function readOlder(reading: Reading, now: Date): Promise<boolean> {
  const { db, contaId } = reading
  const read = await db.transaction(contaId, async (tx) => {
    await tx.query(
      `update busca_contas set desde = '${LAST_ID}', completa_em = $2, rodada = rodada + 1,
         notas_rodada = coalesce(notas_rodada, rodada + 1)
       where conta_id = $1 and desde is null and (rodada = 0 or notas_rodada is null
         or completa_em < $2::timestamptz - interval '${CHECK_DAYS} days')`,
      [contaId, now],
    )
    const state = await readState(tx, contaId)
    if (state === undefined || state.desde === null) return null
    const range = { above: FIRST_ID, below: state.desde, order: 'desc', unreadAfter: null } as const
    return { rodada: state.rodada, batch: await readBatch(tx, contaId, range) }
  })
  if (read === null) return false
  const { rodada, batch } = read
  await storeTexts(reading, await foldAll(batch.texts), rodada)
  await db.transaction(contaId, async (tx) => {
    const left = batch.last === null ? await deleteUnreadWords(tx, contaId, rodada) : null
    await tx.query(
      `update busca_contas set desde = $2::uuid, palavras = coalesce($4, palavras), lida_em = now(),
         completa_em = case when $2::uuid is null then coalesce(completa_em, $3) else completa_em end where conta_id = $1`,
      [contaId, batch.last, now, left],
    )
  })
  return batch.last !== null
}

interface Range {
  readonly above: string
  readonly below: string
  readonly order: 'asc' | 'desc'
  /** Leaves out texts up to this id, except messages and notas that the index lacks. Null: all texts. */
  readonly unreadAfter: string | null
}

const textSchema = z.object({
  id: z.string(),
  /** The words of a name are in the vocabulary only. */
  tipo: z.enum(['mensagem', 'contato', 'nota']),
  texto: z.string(),
  /** Hash of the last edit. The message may be edited again before its words are stored. */
  edicao: z.string(),
  /** Words of a message or nota that was read before. */
  lexemas: z.nullable(z.string()),
  /** Texts of the range, up to the limit of rows. */
  vistas: z.int(),
})
type ReadText = z.output<typeof textSchema>

interface TextBatch {
  readonly texts: readonly ReadText[]
  /** The next batch begins behind this id. Null: there is none. */
  readonly last: string | null
}

const EDIT_SQL = `md5(coalesce(m.extras ->> 'edicao', ''))`

/** Messages, names and notas in one order, because all ids begin with their time. Long texts are read for the batch only. */
async function readBatch(tx: Tx, contaId: string, { above, below, order, unreadAfter }: Range): Promise<TextBatch> {
  const part = (tipo: string, table: string, bytes: string, where: string): string =>
    `(select t.id, '${tipo}' as tipo, ${bytes} as bytes from ${table} t
      where t.conta_id = $1 and t.id > $2 and t.id < $3 ${unreadAfter === null ? '' : where}
      order by t.id ${order} limit ${BATCH_ROWS})`
  const textBytes = `least(octet_length(t.texto), ${FOLDED_MAX})`
  const unread = (index: string, key: string): string =>
    `and (t.id > $4 or not exists (select from ${index} b where b.conta_id = t.conta_id and b.${key} = t.id))`
  const one = (table: string, tipo: string, key = 'id'): string =>
    `left join lateral (select * from ${table} r where e.tipo = '${tipo}' and r.conta_id = $1 and r.${key} = e.id offset 0)`
  const texts = await tx.rows(
    textSchema,
    `with lidos as (
       ${part('mensagem', 'mensagens', textBytes, unread('busca_mensagens', 'mensagem_id'))}
       union all ${part('contato', 'contatos', '100', 'and t.id > $4')}
       union all ${part('nota', 'notas', textBytes, unread('busca_notas', 'nota_id'))}
     ), lote as (
       select id, tipo from (select *, sum(bytes) over (order by id ${order}) - bytes as antes from lidos) l
       where antes < ${BATCH_BYTES} order by id ${order} limit ${BATCH_ROWS}
     )
     select e.id, e.tipo, ${EDIT_SQL} as edicao, (select count(*)::int from lidos) as vistas,
       case e.tipo when 'contato' then concat_ws(' ', c.nome, c.nome_usuario) when 'nota' then left(n.texto, ${FOLDED_MAX})
         else left(concat_ws(' ', m.extras ->> 'edicao', m.texto), ${FOLDED_MAX}) end as texto,
       array_to_string(tsvector_to_array(coalesce(b.vetor, d.vetor)), ' ') as lexemas
     from lote e ${one('mensagens', 'mensagem')} m on true ${one('busca_mensagens', 'mensagem', 'mensagem_id')} b on true
       ${one('contatos', 'contato')} c on true ${one('notas', 'nota')} n on true
       ${one('busca_notas', 'nota', 'nota_id')} d on true
     order by e.id ${order}`,
    [contaId, above, below, ...(unreadAfter === null ? [] : [unreadAfter])],
  )
  const seen = texts[0]?.vistas ?? 0
  return { texts, last: seen === texts.length && seen < BATCH_ROWS ? null : (texts.at(-1)?.id ?? null) }
}

interface FoldedText extends ReadText {
  readonly words: Iterable<string>
}

/** Folds the texts once. Other work runs every 10 ms. */
async function foldAll(texts: readonly ReadText[]): Promise<FoldedText[]> {
  const folded: FoldedText[] = []
  let begun = performance.now()
  for (const text of texts) {
    folded.push({ ...text, words: text.lexemas === null ? foldedWords(text.texto) : wordsOfLexemes(text.lexemas) })
    if (performance.now() - begun < FOLD_MS) continue
    await new Promise((resolve) => setImmediate(resolve))
    begun = performance.now()
  }
  return folded
}

/** SQLSTATE of an error that one of the rows may cause: bad data, a constraint, a program limit or a statement timeout. */
const ROW_ERROR = /^(22|23|54|57014)/

/** Stores the words in one transaction. If it fails because of a row, each half is stored for itself, down to the row. */
async function storeTexts(reading: Reading, texts: readonly FoldedText[], rodada: number): Promise<void> {
  if (texts.length === 0) return
  try {
    await reading.db.transaction(reading.contaId, (tx) => storeIn(tx, reading.contaId, texts, rodada))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ROW_ERROR.test(String(error.code)))) throw error
    if (texts.length === 1) return reading.skipped(error)
    const middle = Math.ceil(texts.length / 2)
    await storeTexts(reading, texts.slice(0, middle), rodada)
    await storeTexts(reading, texts.slice(middle), rodada)
  }
}

/** Words of a message that another node stored, or that was edited or deleted meanwhile, are not counted. */
async function storeIn(tx: Tx, contaId: string, texts: readonly FoldedText[], rodada: number): Promise<void> {
  const sql = 'select palavras from busca_contas where conta_id = $1 for update'
  const [state] = await tx.rows(z.object({ palavras: z.int() }), sql, [contaId])
  if (state === undefined) return
  const stored = new Set([
    ...(await storeVectors(tx, contaId, texts, 'mensagem')),
    ...(await storeVectors(tx, contaId, texts, 'nota')),
  ])
  const counts = new WordCounts()
  for (const { id, tipo, lexemas, words } of texts)
    if (tipo === 'contato' || lexemas !== null || stored.has(id)) counts.add(words)
  const added = await storeWords(tx, contaId, counts, { rodada, palavras: state.palavras })
  await tx.query('update busca_contas set palavras = palavras + $2 where conta_id = $1', [contaId, added])
}

/** The text is read again: a join of contatos may have moved a message, and an edit has other words. */
const INSERT_SQL = {
  mensagem: `
insert into busca_mensagens (conta_id, mensagem_id, conversa_id, vetor)
select m.conta_id, m.id, m.conversa_id, array_to_tsvector(string_to_array(i.lexemas, ' '))
from unnest($2::uuid[], $3::text[], $4::text[]) as i (id, lexemas, edicao)
cross join lateral (select * from mensagens m where m.conta_id = $1 and m.id = i.id offset 0) m
where ${EDIT_SQL} = i.edicao
on conflict do nothing returning mensagem_id as id`,
  nota: `
insert into busca_notas (conta_id, nota_id, vetor)
select n.conta_id, n.id, array_to_tsvector(string_to_array(i.lexemas, ' '))
from unnest($2::uuid[], $3::text[], $4::text[]) as i (id, lexemas, edicao)
cross join lateral (select * from notas n where n.conta_id = $1 and n.id = i.id offset 0) n
on conflict do nothing returning nota_id as id`,
}

/** Stores the words of the texts that the index lacks. Returns the ids of those that it stored. */
async function storeVectors(
  tx: Tx,
  contaId: string,
  texts: readonly FoldedText[],
  kind: keyof typeof INSERT_SQL,
): Promise<readonly string[]> {
  const unread = texts.filter(({ tipo, lexemas }) => tipo === kind && lexemas === null)
  if (unread.length === 0) return []
  const { rows } = await tx.query<{ id: string }>(INSERT_SQL[kind], [
    contaId,
    plainArray(unread.map(({ id }) => id)),
    textArray(unread.map(({ words }) => lexemesOf(contaId, words))),
    plainArray(unread.map(({ edicao }) => edicao)),
  ])
  return rows.map(({ id }) => id)
}
