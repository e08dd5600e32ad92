import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { PeriodicTask } from '#lib/every.ts'
import { FIRST_ID, idBefore, LAST_ID } from './plan.ts'

const INTERVAL_MS = 30_000
const FIRST_RUN_MS = 20_000
/** Rest after a batch of older texts, in times of its work. */
const REST = 2
/** Texts that are left are read in later rounds. */
const PART_MS = 20_000
/** Rest of a conta that failed. It doubles with each failure. */
const FAILED_REST_MS = { first: INTERVAL_MS, longest: 3_600_000 }

/** New texts are read from the oldest one on, older ones from the newest one on. */
type Part = 'newer' | 'older'

type SearchIndexDeps = Pick<Deps, 'db' | 'clock' | 'leader' | 'log' | 'sleep'>

/** Reads the words of new texts every 30 s on one node, and those of older texts at the first start. */
export function searchIndexJob(deps: SearchIndexDeps) {
  let task: PeriodicTask | null = null
  let stopping = false
  const failures = newFailures()
  const round = (): Promise<boolean> => indexRound(deps, () => stopping, failures)
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'search index not updated, retrying')
  return {
    start: () => {
      task ??= deps.leader.every({ name: 'busca', ms: INTERVAL_MS, firstMs: FIRST_RUN_MS, task: round, failed })
    },
    stop: async () => {
      stopping = true
      await task?.stop()
    },
  }
}

const newFailures = () => new LRUCache<string, { readonly ms: number; readonly until: number }>({ max: 10_000 })

/** The contas take turns, so that one with many texts does not delay the others. Returns true if texts are left. */
export async function indexRound(
  deps: Omit<SearchIndexDeps, 'leader'>,
  stopped: () => boolean,
  failures = newFailures(),
): Promise<boolean> {
  const now = deps.clock.now()
  const due = await deps.db.read('*', (tx) => listDueContas(tx, { now }))
  const contas = due.map(({ id }) => ({ id, read: readerOf(deps, id, now) }))
  const attempt = async ({ id, read }: (typeof contas)[number], part: Part): Promise<boolean> => {
    try {
      const more = await read(part)
      if (!more) failures.delete(id)
      return more
    } catch (err) {
      const ms = Math.min(2 * (failures.get(id)?.ms ?? FAILED_REST_MS.first / 2), FAILED_REST_MS.longest)
      failures.set(id, { ms, until: performance.now() + ms })
      deps.log.error({ err, contaId: id }, 'search index of a conta not updated, retrying')
      return false
    }
  }
  const readPart = async (part: Part): Promise<boolean> => {
    const end = performance.now() + PART_MS
    let open = contas.filter(({ id }) => performance.now() >= (failures.get(id)?.until ?? 0))
    while (open.length > 0) {
      const unfinished: typeof contas = []
      for (const conta of open) {
        if (stopped() || performance.now() > end) return true
        const begun = performance.now()
        if (!(await attempt(conta, part))) continue
        unfinished.push(conta)
        if (part === 'older') await deps.sleep(REST * (performance.now() - begun))
      }
      open = unfinished
    }
    return false
  }
  const newer = await readPart('newer')
  return (await readPart('older')) || newer
}

const BATCH_ROWS = rawSql('2000')
/** Long texts end a batch earlier: their words must fit into one statement. */
const BATCH_BYTES = rawSql('1000000')
/** WhatsApp allows edits for 15 minutes. An edited message is read again. */
const EDIT_MS = 20 * 60_000
/** A check of all texts finds those with ids of an earlier time, and cleans the vocabulary. */
const CHECK_DAYS = rawSql('7')
/** The check reads the newest texts first, so words of the oldest ones are left out. */
const WORDS_MAX = rawSql('60000')
/** A rare word is often a typing error. Counting ends here, so that the rows of frequent words are not written again. */
const COUNT_MAX = rawSql('10')
/** 2,000 ordinary messages have about 5,000 distinct words. Further ones wait for the next check. */
const WORDS_AT_ONCE = rawSql('20000')

const now = value('now', 'timestamptz')
const firstId = rawSql(`'${FIRST_ID}'`)
const lastId = rawSql(`'${LAST_ID}'`)
const last = value('last', 'uuid?')

/** Contas that waited longest come first, because a round may end before the last one. */
const listDueContas = manyRows(
  'busca: list due contas',
  z.object({ id: z.string() }),
  sql`select c.id from contas c left join busca_contas b on b.conta_id = c.id
   where c.excluida_em is null and (b.desde is not null or (b.conta_id is not null and b.notas_rodada is null)
     or b.completa_em < ${now} - interval '${CHECK_DAYS} days'
     or exists (select from mensagens m where m.conta_id = c.id and m.id > coalesce(b.ate, ${firstId})))
   order by b.lida_em nulls first, c.id`,
)

const isCheckDue = sql`(b.desde is null
  and (b.notas_rodada is null or b.completa_em < ${now} - interval '${CHECK_DAYS} days'))`

/** Begins the first check of a conta, or the next one after seven days. */
const beginBatch = oneRow(
  'busca: begin batch',
  z.object({ ate: z.string(), desde: z.nullable(z.string()), rodada: z.int() }),
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
  sql`update busca_contas set ate = greatest(ate, ${last}) where conta_id = ${contaId}`,
)
const moveOldest = noRows(
  'busca: move oldest',
  sql`update busca_contas set desde = ${last},
     completa_em = case when ${last} is null then coalesce(completa_em, ${now}) else completa_em end
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

/** Deletes the words that no text has, and those that only one text has if the vocabulary is still full. */
const deleteUnreadWords = noRows(
  'busca: delete unread words',
  sql`delete from busca_palavras where conta_id = ${contaId} and (rodada < ${value('rodada', 'int')} or (vezes <= 1
     and (select count(*) from busca_palavras where conta_id = ${contaId} and rodada = ${value('rodada', 'int')})
       >= ${WORDS_MAX}))`,
)

type ReadDeps = Pick<Deps, 'db' | 'log'>

/** Returns a function that reads one batch, and returns true if there are more. */
function readerOf(deps: ReadDeps, account: string, time: Date): (part: Part) => Promise<boolean> {
  const { db } = deps
  let above: string | null = null
  return async (part) => {
    const batch = await db.transaction(account, async (tx) => {
      const state = await beginBatch(tx, { contaId: account, now: time })
      if (state === null || (part === 'older' && state.desde === null)) return null
      const { ate, desde, rodada } = state
      const range = { contaId: account, above: FIRST_ID, below: desde ?? LAST_ID, knownUpTo: null }
      const newer = { ...range, above: above ?? idBefore(ate, EDIT_MS), below: LAST_ID, knownUpTo: ate }
      const texts = await (part === 'older' ? listOlder(tx, range) : listNewer(tx, newer))
      return { contaId: account, rodada, ids: texts.map(({ id }) => id) }
    })
    if (batch === null) return false
    await storeTexts(deps, batch)
    const end = batch.ids.at(-1) ?? null
    if (part === 'newer' && end === null) return false
    await db.transaction(account, async (tx) => {
      if (part === 'newer') return moveNewest(tx, { contaId: account, last: end })
      if (end === null) await deleteUnreadWords(tx, batch)
      return moveOldest(tx, { contaId: account, last: end, now: time })
    })
    if (part === 'newer') above = end
    return end !== null
  }
}

/** SQLSTATE of bad data, a constraint, a program limit or a statement timeout. */
const ROW_ERROR = /^(22|23|54|57014)/

/** If the transaction fails because of a row, each half is stored for itself, down to the row. */
async function storeTexts(deps: ReadDeps, batch: Parameters<typeof storeWords>[1]): Promise<void> {
  const { contaId: account, ids } = batch
  if (ids.length === 0) return
  try {
    await deps.db.transaction(account, (tx) => storeWords(tx, batch))
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && ROW_ERROR.test(String(err.code)))) throw err
    if (ids.length === 1) return deps.log.error({ err, contaId: account }, 'text not indexed, skipped')
    const middle = Math.ceil(ids.length / 2)
    await storeTexts(deps, { ...batch, ids: ids.slice(0, middle) })
    await storeTexts(deps, { ...batch, ids: ids.slice(middle) })
  }
}
