import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Database } from '#db/transaction.ts'
import { FIRST_ID, LAST_ID } from '#modules/busca/plan.ts'
import { idBefore } from '#modules/busca/progress.ts'

const BATCH_ROWS = rawSql('2000')
/** Long texts end a batch earlier: their words must fit into one statement. */
const BATCH_BYTES = rawSql('1000000')
/** WhatsApp allows edits for 15 minutes. An edited message is read again. */
const EDIT_MS = 20 * 60_000
/** Texts with ids of an earlier time are found by a check of all texts, which also cleans the vocabulary. */
const CHECK_DAYS = rawSql('7')
/** Words of a conta. The check reads the newest texts first, so words of the oldest ones are left out. */
const WORDS_MAX = rawSql('60000')
/** Counting ends here: a rare word is often a typing error itself, and the task need not write the rows of frequent ones. */
const COUNT_MAX = rawSql('10')
/** Distinct words of one statement. 2,000 ordinary messages have about 5,000; further ones wait for the next check. */
const WORDS_AT_ONCE = rawSql('20000')

const now = value('now', 'timestamptz')
const firstId = rawSql(`'${FIRST_ID}'`)
const lastId = rawSql(`'${LAST_ID}'`)

/**
 * Contas with newer messages than the task read, with older ones, or without a check in the last seven days. Contas that
 * waited longest come first, because a round may end before the last one.
 */
export const listDueContas = manyRows(
  'busca: list due contas',
  z.object({ id: z.string() }),
  sql`select c.id from contas c left join busca_contas b on b.conta_id = c.id
   where c.excluida_em is null and (b.desde is not null or (b.conta_id is not null and b.notas_rodada is null)
     or b.completa_em < ${now} - interval '${CHECK_DAYS} days'
     or exists (select from mensagens m where m.conta_id = c.id and m.id > coalesce(b.ate, ${firstId})))
   order by b.lida_em nulls first, c.id`,
)

const stateSchema = z.object({ ate: z.string(), desde: z.nullable(z.string()), rodada: z.int() })
const isCheckDue = sql`(b.desde is null
  and (b.notas_rodada is null or b.completa_em < ${now} - interval '${CHECK_DAYS} days'))`

/** Begins the first check of a conta, or the next one after seven days. */
const beginBatch = oneRow(
  'busca: begin batch',
  stateSchema,
  sql`insert into busca_contas as b (conta_id, ate, desde, rodada, notas_rodada, lida_em)
   select c.id, coalesce((select m.id from mensagens m where m.conta_id = c.id order by m.id desc limit 1), ${firstId}),
     ${lastId}, 1, 1, now() from contas c where c.id = ${contaId}
   on conflict (conta_id) do update set lida_em = now(), rodada = b.rodada + ${isCheckDue}::int,
     desde = case when ${isCheckDue} then ${lastId}::uuid else b.desde end,
     completa_em = case when ${isCheckDue} then ${now} else b.completa_em end,
     notas_rodada = case when ${isCheckDue} then coalesce(b.notas_rodada, b.rodada + 1) else b.notas_rodada end
   returning ate, desde, rodada`,
)
const moveNewest = noRows(
  'busca: move newest',
  sql`update busca_contas set ate = greatest(ate, ${value('last', 'uuid')}) where conta_id = ${contaId}`,
)
const moveOldest = noRows(
  'busca: move oldest',
  sql`update busca_contas set desde = ${value('last', 'uuid?')},
     completa_em = case when ${value('last', 'uuid?')} is null then coalesce(completa_em, ${now}) else completa_em end
   where conta_id = ${contaId}`,
)

/** Texts of a range, and of those up to `knownUpTo` only messages and notas that the index lacks. */
const listTexts = (name: string, order: 'asc' | 'desc') =>
  manyRows(
    name,
    z.object({ id: z.string() }),
    sql`select id from (
       select id, sum(bytes) over (order by id ${rawSql(order)}) - bytes as bytes_before from (
         select f.id, least(octet_length(f.palavras), 4096) as bytes from busca_fontes f
         where f.conta_id = ${contaId} and f.id > ${value('above', 'uuid')} and f.id < ${value('below', 'uuid')}
           and (${value('knownUpTo', 'uuid?')} is null or f.id > ${value('knownUpTo', 'uuid?')} or (f.tipo <> 'contato'
             and not exists (select from busca_textos b where b.conta_id = f.conta_id and b.id = f.id offset 0)))
         order by f.id ${rawSql(order)} limit ${BATCH_ROWS}
       ) f
     ) f where bytes_before < ${BATCH_BYTES} order by id ${rawSql(order)}`,
  )
const listNewer = listTexts('busca: list newer texts', 'asc')
const listOlder = listTexts('busca: list older texts', 'desc')

/** Stores the words of texts, and counts those of 3 to 24 letters in the vocabulary. */
const storeWords = noRows(
  'busca: store words',
  sql`with textos as materialized (
     select f.id, f.tipo, f.conversa_id, busca_vetor(f.conta_id, f.palavras) as vetor from busca_fontes f
     where f.conta_id = ${contaId} and f.id = any (${value('ids', 'uuid[]')})
   ), mensagens_lidas as (
     insert into busca_mensagens as b (conta_id, mensagem_id, conversa_id, vetor)
     select ${contaId}, id, conversa_id, vetor from textos where tipo = 'mensagem'
     on conflict (conta_id, mensagem_id) do update set vetor = excluded.vetor where b.vetor <> excluded.vetor
   ), notas_lidas as (
     insert into busca_notas as b (conta_id, nota_id, vetor) select ${contaId}, id, vetor from textos where tipo = 'nota'
     on conflict (conta_id, nota_id) do update set vetor = excluded.vetor where b.vetor <> excluded.vetor
   ), palavras as (
     select substr(lexema, 7) as palavra, least(count(*), ${COUNT_MAX})::int as vezes
     from textos, unnest(tsvector_to_array(vetor)) as lexema where lexema ~ '^.{6}[a-z]{3,24}$'
     group by lexema order by count(*) desc limit ${WORDS_AT_ONCE}
   )
   insert into busca_palavras as p (conta_id, palavra, vezes, rodada)
   select ${contaId}, n.palavra, n.vezes, ${value('rodada', 'int')} from palavras n
   left join busca_palavras k on k.conta_id = ${contaId} and k.palavra = n.palavra
   where k.rodada <> ${value('rodada', 'int')} or k.vezes < ${COUNT_MAX} or (k.palavra is null
     and (select count(*) from busca_palavras where conta_id = ${contaId}) < ${WORDS_MAX})
   on conflict (conta_id, palavra) do update set rodada = excluded.rodada,
     vezes = least(${COUNT_MAX}, excluded.vezes + case when p.rodada = excluded.rodada then p.vezes else 0 end)`,
)

/**
 * Deletes the words that the check did not read, because no text has them, and those that only one text has if the
 * vocabulary is still full.
 */
const deleteUnreadWords = noRows(
  'busca: delete unread words',
  sql`delete from busca_palavras where conta_id = ${contaId} and (rodada < ${value('rodada', 'int')} or (vezes <= 1
     and (select count(*) from busca_palavras where conta_id = ${contaId} and rodada = ${value('rodada', 'int')})
       >= ${WORDS_MAX}))`,
)

export interface Reading {
  readonly db: Database
  readonly contaId: string
  readonly now: Date
  /** Called for each text that cannot be stored. The texts after it are read as usual. */
  readonly skipped: (error: unknown) => void
}

/** Functions that read one batch, of the new texts from the oldest one on, or of the older texts. True: there are more. */
export function readersOf(reading: Reading): Readonly<Record<'readNewer' | 'readOlder', () => Promise<boolean>>> {
  const { db, contaId: account, now: time } = reading
  let above: string | null = null
  const readBatch = async (part: 'newer' | 'older') => {
    const read = await db.transaction(account, async (tx) => {
      const state = await beginBatch(tx, { contaId: account, now: time })
      if (state === null || (part === 'older' && state.desde === null)) return null
      const { ate, desde } = state
      const range = { contaId: account, above: FIRST_ID, below: desde ?? LAST_ID, knownUpTo: null }
      const texts = await (part === 'older'
        ? listOlder(tx, range)
        : listNewer(tx, { ...range, above: above ?? idBefore(ate, EDIT_MS), below: LAST_ID, knownUpTo: ate }))
      return { rodada: state.rodada, ids: texts.map(({ id }) => id) }
    })
    if (read !== null) await storeTexts(reading, read.ids, read.rodada)
    return read === null ? null : { rodada: read.rodada, last: read.ids.at(-1) ?? null }
  }
  return {
    readNewer: async () => {
      const last = (await readBatch('newer'))?.last ?? null
      if (last === null) return false
      above = last
      await db.transaction(account, (tx) => moveNewest(tx, { contaId: account, last }))
      return true
    },
    readOlder: async () => {
      const read = await readBatch('older')
      if (read === null) return false
      await db.transaction(account, async (tx) => {
        if (read.last === null) await deleteUnreadWords(tx, { contaId: account, rodada: read.rodada })
        await moveOldest(tx, { contaId: account, last: read.last, now: time })
      })
      return read.last !== null
    },
  }
}

/** SQLSTATE of an error that one of the rows may cause: bad data, a constraint, a program limit or a statement timeout. */
const ROW_ERROR = /^(22|23|54|57014)/

/** Stores the words in one transaction. If it fails because of a row, each half is stored for itself, down to the row. */
async function storeTexts(reading: Reading, ids: readonly string[], rodada: number): Promise<void> {
  if (ids.length === 0) return
  try {
    await reading.db.transaction(reading.contaId, (tx) => storeWords(tx, { contaId: reading.contaId, ids, rodada }))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ROW_ERROR.test(String(error.code)))) throw error
    if (ids.length === 1) return reading.skipped(error)
    const middle = Math.ceil(ids.length / 2)
    await storeTexts(reading, ids.slice(0, middle), rodada)
    await storeTexts(reading, ids.slice(middle), rodada)
  }
}
