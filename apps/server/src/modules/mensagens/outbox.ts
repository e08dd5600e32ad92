import * as z from 'zod/mini'
import { type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import type { SentModelo } from '@balcao/connector/port'
import { lineOf } from '#db/statement/line.ts'
import { contaId, linhaId, type Sql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { LeaseKey, LineKey } from '#ports/bots.ts'
import { mensagemMarksSchema, type SentMarks, sentMarksOf } from './mensagem-view.ts'
import { underLease } from './mensagem-marks.ts'
import { changedIdOf, outboxContentSchema, type QueuedChange } from './queued-changes.ts'

export interface OutboxRow extends QueuedChange, SentMarks {
  readonly contaId: string
  readonly mensagemId: string
  readonly contatoId: string
  /** The message promised to the contato before this one. It leaves first. */
  readonly anterior: string | null
  readonly endereco: string
  readonly idExterno: string
  readonly texto: string
  readonly midia?: Midia
  readonly modelo?: SentModelo
  readonly attempts: number
  readonly attended: boolean
  readonly expiresAt: Date
}

export const sentModeloSchema = z.object({
  nome: z.string(),
  idioma: z.string(),
  valores: z.array(z.object({ lacuna: z.string(), valor: z.string() })),
})

const pendingSchema = z.object({
  mensagemId: z.string(),
  contatoId: z.string(),
  anterior: z.nullable(z.string()),
  endereco: z.string(),
  idExterno: z.string(),
  attempts: z.int(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  modelo: z.nullable(sentModeloSchema),
  extras: z.nullable(mensagemMarksSchema),
  conteudo: outboxContentSchema,
  attended: z.boolean(),
  expiresAt: z.date(),
})

const no = value('no', 'uuid')
const epoca = value('epoca', 'bigint')
const ids = value('ids', 'uuid[]')

/**
 * With `offset 0` the planner reads one message and one conversa for each row of the source. Without statistics, as after
 * a crash, it would read the source again for each conversa. `alvo` is a separate column, because row-level security
 * keeps a condition with a cast out of the index.
 */
const selectPending = <Values>(source: Sql<Values>) => sql`
select s.mensagem_id, s.contato_id, s.anterior, s.endereco, s.id_externo, s.tentativas as attempts, m.texto, m.midia,
  m.modelo, m.extras, s.conteudo, v.protocolo is not null as attended, s.vence_em as expires_at
from (
  select s.*, coalesce(
    (s.conteudo #>> '{reacao,mensagemId}')::uuid, (s.conteudo #>> '{edicao,mensagemId}')::uuid, s.mensagem_id) as alvo
  from ${source} s offset 0
) s
cross join lateral (select * from mensagens m where m.conta_id = s.conta_id and m.id = s.alvo offset 0) m
cross join lateral (select * from conversas v where v.conta_id = m.conta_id and v.id = m.conversa_id offset 0) v
where s.conta_id = ${contaId} and s.vence_em > ${value('now', 'timestamptz')}
  and exists (select 1 from linhas_bots b where b.linha_id = ${linhaId} and b.no = ${no} and b.epoca = ${epoca})
order by s.contato_id, s.mensagem_id`

interface PendingReader {
  readonly now: Date
  readonly ids: readonly string[]
}

/**
 * The rows of one line, each part with `end`. A further line has an index, so it does not read the rows of others. The
 * first one has the primary key.
 */
const rowsOfLine = <Values>(end: Sql<Values>) => sql`(
  (select * from saida where ${linhaId} = ${contaId} and conta_id = ${contaId} and linha_id is null ${end})
  union all
  (select * from saida where conta_id = ${contaId} and linha_id = ${linhaId} ${end})
)`

const inOrder = sql`order by mensagem_id limit ${value('max', 'int')}`
/** In each part too: an index has the order, and PostgreSQL would sort all rows of both parts. */
const pageOfLine = rowsOfLine(
  sql`and (${value('after', 'uuid?')} is null or mensagem_id > ${value('after', 'uuid?')}) ${inOrder}`,
)

const listPage = manyRows(
  'conversas: list page of outbox',
  z.object({ mensagemId: z.string() }),
  sql`select mensagem_id from ${pageOfLine} s ${inOrder}`,
  { planner: 'indexes' },
)

interface OutboxPage {
  readonly line: LineKey
  readonly after: string | null
  readonly max: number
}

export async function listOutboxIds(tx: Tx, { line, after, max }: OutboxPage): Promise<string[]> {
  const { contaId, linhaId } = line
  return (await listPage(tx, { contaId, linhaId, after, max })).map(({ mensagemId }) => mensagemId)
}

const listWaiting = manyRows(
  'conversas: list waiting of outbox',
  z.object({ mensagemId: z.string() }),
  sql`select mensagem_id from saida where conta_id = ${contaId} and mensagem_id = any (${ids})`,
)

export async function listStored(
  tx: Tx,
  contaId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await listWaiting(tx, { contaId, ids })
  return new Map(rows.map(({ mensagemId }) => [mensagemId, true]))
}

const listPending = manyRows(
  'conversas: list outbox',
  pendingSchema,
  selectPending(sql`(
  select * from saida s where s.conta_id = ${contaId} and s.mensagem_id = any (${ids}) and ${lineOf('s')} = ${linhaId} offset 0
)`),
)

/** Lists the unexpired ones of these messages in order. Empty when another node holds the lease. */
export async function listOutboxRows(tx: Tx, lease: LeaseKey, wanted: PendingReader): Promise<OutboxRow[]> {
  const rows = await listPending(tx, { ...lease, ...wanted })
  return rows.map((row) => toOutboxRow(lease.contaId, row))
}

const oneOfThem = sql`from saida a where a.conta_id = ${contaId} and a.mensagem_id = any (${ids})`

/**
 * The rows of the line are read only when one of these ids is found by its key, and once. Without `coalesce` the planner
 * would turn `in` into a join that reads them for each contato.
 */
const listPendingBehind = manyRows(
  'saida-anteriores',
  pendingSchema,
  selectPending(sql`(
  select s.* from ${rowsOfLine(sql``)} s where exists (select ${oneOfThem})
    and coalesce(s.contato_id in (select a.contato_id ${oneOfThem}), false) offset 0
)`),
  { prepared: true, planner: 'indexes' },
)

/** As `listOutboxRows`, for all messages of the contatos that these rows of `saida` belong to. Rows that do not exist have left. */
export async function listBehind(tx: Tx, lease: LeaseKey, wanted: PendingReader): Promise<OutboxRow[]> {
  const rows = await listPendingBehind(tx, { ...lease, ...wanted })
  return rows.map((row) => toOutboxRow(lease.contaId, row))
}

/** A change carries no text or media of the message that it changes. */
function toOutboxRow(
  contaId: string,
  { texto, midia, modelo, extras, conteudo, ...row }: z.output<typeof pendingSchema>,
): OutboxRow {
  if (changedIdOf(conteudo) !== undefined) return { contaId, ...row, texto: '', ...conteudo }
  return {
    ...{ contaId, ...row, texto },
    ...(midia === null ? {} : { midia }),
    ...(modelo === null ? {} : { modelo }),
    ...sentMarksOf(extras),
  }
}

const beginOutbox = manyRows(
  'saida-tentar',
  z.object({ mensagemId: z.string(), antes: z.boolean() }),
  sql`
with minha as materialized (
  select 1 from linhas_bots where linha_id = ${linhaId} and no = ${no} and epoca = ${epoca} for share
), antes as materialized (
  select mensagem_id, tentada_por from saida where conta_id = ${contaId} and mensagem_id = any (${ids}) for update
), tentadas as (
  update saida s set tentada_por = ${epoca} from antes a
  where s.conta_id = ${contaId} and s.mensagem_id = a.mensagem_id and a.tentada_por is distinct from ${epoca}
    and exists (select 1 from minha)
)
select mensagem_id, coalesce(tentada_por <> ${epoca}, false) as antes from antes where exists (select 1 from minha)`,
  { prepared: true },
)

/**
 * Records that this lease begins to send these messages. Returns for each one that still waits whether an earlier lease
 * began it. Empty when another node holds the lease.
 */
export async function beginSends(
  tx: Tx,
  lease: LeaseKey,
  ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await beginOutbox(tx, { ...lease, ids })
  return new Map(rows.map(({ mensagemId, antes }) => [mensagemId, antes]))
}

/**
 * Stores the number of attempts, so that a restart continues counting. Returns 0 and writes nothing when another
 * node holds the lease or the row is deleted.
 */
export const deferOutboxItem = noRows(
  'conversas: defer mensagem',
  sql`update saida set tentativas = ${value('attempts', 'int')}, ultimo_erro = ${value('error', 'text')},
        proxima_em = now() + make_interval(secs => ${value('waitS', 'float8')})
      where conta_id = ${contaId} and mensagem_id = ${value('mensagemId', 'uuid')} and ${underLease}`,
)

/**
 * `saida` is often empty, so the planner's statistics show no rows and a join scans the table once per id. `any`
 * forces index lookups.
 */
export const deleteSent = noRows(
  'saida-marcada',
  sql`delete from saida where conta_id = ${contaId} and mensagem_id = any (${ids})`,
  { prepared: true, planner: 'indexes' },
)
