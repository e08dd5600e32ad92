import * as z from 'zod/mini'
import { foldedWords } from '@balcao/engine/search/words'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { FIRST_ID, idBefore, LAST_ID } from '#modules/busca/progress.ts'
import { deleteUnreadWords, storeWords, type VocabularyState, WordCounts } from './vocabulary.ts'
import { lexemesOf, wordsOfLexemes } from '#modules/busca/vectors.ts'

const BATCH_ROWS = 2_000
/** WhatsApp allows edits for 15 minutes. An edited message is read again. */
const EDIT_MS = 20 * 60_000
/** Messages with ids of an earlier time are found by a check of all messages, which also cleans the vocabulary. */
export const CHECK_DAYS = 7

const stateSchema = z.object({
  ate: z.string(),
  desde: z.nullable(z.string()),
  rodada: z.number(),
  palavras: z.number(),
})
type State = z.output<typeof stateSchema>

async function lockState(tx: Tx, contaId: string): Promise<State | undefined> {
  const [state] = await tx.rows(
    stateSchema,
    'select ate, desde, rodada, palavras from busca_contas where conta_id = $1 for update',
    [contaId],
  )
  return state
}

/**
 * Reads a batch of new texts, the oldest first, after the id that the batch before returned. Returns null after the last
 * one. The texts of a conta that was not begun are left to `readOlder`.
 */
export async function readNewer(tx: Tx, contaId: string, after: string | null): Promise<string | null> {
  const state = await lockState(tx, contaId)
  if (state === undefined) {
    await tx.query(BEGIN_SQL, [contaId])
    return null
  }
  const from = after ?? idBefore(state.ate, EDIT_MS)
  const batch = await readBatch(tx, contaId, { above: from, below: LAST_ID, order: 'asc' })
  const isNew = ({ id, mensagem, lexemas }: ReadText): boolean => lexemas === null && (mensagem || id > state.ate)
  await storeMensagens(tx, contaId, batch)
  const added = await storeWords(tx, contaId, countWords(batch.filter(isNew)), state)
  const newest = batch.findLast(({ mensagem }) => mensagem)?.id ?? state.ate
  await tx.query(
    'update busca_contas set ate = greatest(ate, $2::uuid), palavras = palavras + $3 where conta_id = $1',
    [contaId, newest, added],
  )
  return batch.length < BATCH_ROWS ? null : (batch.at(-1)?.id ?? null)
}

const BEGIN_SQL = `
insert into busca_contas (conta_id, ate, desde, rodada)
select conta_id, id, '${LAST_ID}', 1 from mensagens where conta_id = $1 order by id desc limit 1
on conflict do nothing`

/** Reads one batch of older texts. Returns true if there are more. Begins a check after seven days. */
export async function readOlder(tx: Tx, contaId: string, now: Date): Promise<boolean> {
  await tx.query(
    `update busca_contas set desde = '${LAST_ID}', completa_em = $2, rodada = rodada + 1 where conta_id = $1
       and desde is null and (completa_em < $2::timestamptz - interval '${CHECK_DAYS} days' or rodada = 0)`,
    [contaId, now],
  )
  const state = await lockState(tx, contaId)
  if (state === undefined || state.desde === null) return false
  const batch = await readBatch(tx, contaId, { above: FIRST_ID, below: state.desde, order: 'desc' })
  await storeMensagens(tx, contaId, batch)
  const added = await storeWords(tx, contaId, countWords(batch), state)
  const open = batch.length === BATCH_ROWS ? batch.at(-1) : undefined
  const words: VocabularyState = { rodada: state.rodada, palavras: state.palavras + added }
  const left = open === undefined ? await deleteUnreadWords(tx, contaId, words) : words.palavras
  await tx.query(
    `update busca_contas set desde = $2::uuid, palavras = $3,
       completa_em = case when $2::uuid is null then coalesce(completa_em, $4) else completa_em end where conta_id = $1`,
    [contaId, open?.id ?? null, left, now],
  )
  return open !== undefined
}

const textSchema = z.object({
  id: z.string(),
  /** False: a name or a nota, whose words are in the vocabulary only. */
  mensagem: z.boolean(),
  texto: z.string(),
  /** Words of a message that was read before. */
  lexemas: z.nullable(z.string()),
})
type ReadText = z.output<typeof textSchema>

interface Range {
  readonly above: string
  readonly below: string
  readonly order: 'asc' | 'desc'
}

/** Messages, names and notas in one order, because all ids begin with their time. */
function readBatch(tx: Tx, contaId: string, { above, below, order }: Range): Promise<ReadText[]> {
  const part = (table: string): string =>
    `(select * from ${table} where conta_id = $1 and id > $2 and id < $3 order by id ${order} limit ${BATCH_ROWS})`
  return tx.rows(
    textSchema,
    `select * from (
       select m.id, true as mensagem, concat_ws(' ', m.texto, m.extras ->> 'edicao') as texto,
         array_to_string(tsvector_to_array(b.vetor), ' ') as lexemas
       from ${part('mensagens')} m left join busca_mensagens b on b.conta_id = m.conta_id and b.mensagem_id = m.id
       union all select id, false, concat_ws(' ', nome, nome_usuario), null from ${part('contatos')} c
       union all select id, false, texto, null from ${part('notas')} n
     ) t order by id ${order} limit ${BATCH_ROWS}`,
    [contaId, above, below],
  )
}

function countWords(texts: readonly ReadText[]): WordCounts {
  const counts = new WordCounts()
  for (const { texto, lexemas } of texts) {
    if (lexemas === null) counts.addText(texto)
    else counts.add(wordsOfLexemes(lexemas))
  }
  return counts
}

/** The conversa is read again, because a join of contatos may have moved the message. */
const INSERT_SQL = `
insert into busca_mensagens (conta_id, mensagem_id, conversa_id, vetor)
select m.conta_id, m.id, m.conversa_id, array_to_tsvector(string_to_array(i.lexemas, ' '))
from unnest($2::uuid[], $3::text[]) as i (id, lexemas)
cross join lateral (select * from mensagens m where m.conta_id = $1 and m.id = i.id offset 0) m
on conflict do nothing`

/** Stores the words of the messages that the index lacks. */
async function storeMensagens(tx: Tx, contaId: string, texts: readonly ReadText[]): Promise<void> {
  const unread = texts.filter(({ mensagem, lexemas }) => mensagem && lexemas === null)
  if (unread.length === 0) return
  await tx.query(INSERT_SQL, [
    contaId,
    plainArray(unread.map(({ id }) => id)),
    textArray(unread.map(({ texto }) => lexemesOf(contaId, foldedWords(texto)))),
  ])
}
