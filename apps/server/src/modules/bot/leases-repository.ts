import * as z from 'zod/mini'
import { channelOf } from '@balcao/contract/connectors'
import { CONECTORES } from '@balcao/contract/constants'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { BOT_FREE_SQL, BOT_HELD_SQL } from '#db/nodes/held-bots.ts'
import { storedLine } from '#db/statement/line.ts'
import { columns, contaId, linhaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { FencedWrite, LeaseKey, LineKey } from '#ports/bots.ts'
import { deleteKeys } from '#modules/chaves/index.ts'
import { isPairedBy } from './repository.ts'

/** A node with its fair share leaves new free bots to the others for this long. */
const LEFT_TO_OTHERS = sql`make_interval(secs => 3)`

const leaseSchema = z.object({
  contaId: z.string(),
  linhaId: z.string(),
  no: z.string(),
  epoca: z.number(),
  conector: z.enum(CONECTORES),
  credenciais: z.unknown(),
})

export type Lease = Readonly<z.output<typeof leaseSchema>>

/** The name of the channel in stored messages. */
export function lineChannel(lease: Lease): string {
  return channelOf({ conector: lease.conector, linha: storedLine(lease) })
}

/**
 * Grows with the time in milliseconds, so that it does not repeat when a promoted standby lacks the last row. A
 * sequence may hand out a number twice then. Stays below 2^53 until the year 2248.
 */
const nextEpoca = sql`greatest(b.epoca + 1,
  (extract(epoch from clock_timestamp()) * 1000)::bigint * 1024 + floor(random() * 1024)::bigint)`

const isFree = rawSql(BOT_FREE_SQL)

/** Not of a moving conta or an inactive line, and not while an imported backup waits for a decision. */
export const mayStart = sql`not ${rawSql(RESTORE_PENDING_SQL)}
  and not exists (select 1 from contas c where c.id = b.conta_id and c.mudanca is not null)
  and not exists (select 1 from linhas l where l.conta_id = b.conta_id and l.id = b.linha_id and not l.ativa)`

const hasFolder = sql`(b.pasta is null
  or exists (select 1 from nos n where n.pasta = b.pasta and n.morto_em is null and not n.saindo))`

const no = value('no', 'uuid')
const onlyLine = value('linhaId', 'uuid?')
const ownFolder = sql`(select pasta from nos where id = ${no})`

export interface TakeOptions {
  readonly line: LineKey | null
  readonly max: number
  readonly fresh: boolean
}

export const takeLeases = manyRows(
  'bot: take',
  leaseSchema,
  sql`
with eu as materialized (select 1 from nos where id = ${no} and morto_em is null and not saindo for share)
update linhas_bots b set no = ${no}, epoca = ${nextEpoca}, livre_desde = null,
  desconectado_desde = case when status = 'CONECTADO' then now() else desconectado_desde end,
  status = 'INICIALIZANDO', motivo = null, qr_code = null, qr_expira_em = null, conectado_como = null,
  pasta = case when ${isPairedBy('browser')} and credenciais is not null then ${ownFolder} end
where exists (select 1 from eu) and linha_id in (
  select b.linha_id from linhas_bots b where ${isFree} and ${mayStart}
    and (${onlyLine} is null or b.linha_id = ${onlyLine}) and (b.pasta is null or b.pasta = ${ownFolder})
    and (${value('fresh', 'bool')} or b.livre_desde is null or b.livre_desde < clock_timestamp() - ${LEFT_TO_OTHERS})
  order by b.livre_desde nulls first limit ${value('max', 'int')} for update skip locked)
returning conta_id, linha_id, no, epoca, conector, credenciais`,
)

export const isDeleted = sql`exists (
  select from linhas l where l.conta_id = b.conta_id and l.id = b.linha_id and l.removida_em is not null)`

/** Lines that were deleted, whose phone is linked and that no node has. The credentials are the mark. */
export const takeDeleted = manyRows(
  'bot: take deleted',
  leaseSchema,
  sql`
with eu as materialized (select 1 from nos where id = ${no} and morto_em is null and not saindo for share)
update linhas_bots b set no = ${no}, epoca = ${nextEpoca}
where exists (select 1 from eu) and linha_id in (
  select b.linha_id from linhas l join linhas_bots b on b.linha_id = l.id
  where l.removida_em is not null and b.credenciais is not null and not ${rawSql(BOT_HELD_SQL)}
    and not ${rawSql(RESTORE_PENDING_SQL)} and (b.pasta is null or b.pasta = ${ownFolder})
    and not exists (select 1 from contas c where c.id = b.conta_id and c.mudanca is not null)
  limit 20 for update of b skip locked)
returning conta_id, linha_id, no, epoca, conector, credenciais`,
)

/** The limit is no parameter: with one, PostgreSQL plans each call again, which costs more than the count. */
const countFreeUpTo = (max: number) =>
  oneValue(
    `bot: count free ${max}`,
    z.int(),
    sql`select count(*)::int as value from (
          select from linhas_bots b where ${isFree} and ${mayStart} and ${hasFolder} limit ${rawSql(String(max))}) as livre`,
    { prepared: true },
  )

/** More do not change the share of a node. */
export const countFree = countFreeUpTo(10_000)
export const countOneFree = countFreeUpTo(1)

const heldSchema = z.object({
  contaId: z.string(),
  linhaId: z.string(),
  no: z.string(),
  epoca: z.number(),
  desejado: z.boolean(),
  parada: z.boolean(),
  esquecida: z.boolean(),
})

export type HeldLease = Readonly<z.output<typeof heldSchema>>

const heldLeases = sql`
select conta_id, linha_id, no, epoca, desejado, not (desejado and parada is distinct from epoca) as parada,
  credenciais is null or (not desejado and ${isDeleted}) as esquecida
from linhas_bots b where no = ${no}`

/** A lease that is missing is lost. */
export const listHeldLeases = manyRows('bot: list held', heldSchema, heldLeases, { prepared: true })

export const listHeldLeasesOf = manyRows(
  'bot: list held of line',
  heldSchema,
  sql`${heldLeases} and linha_id = ${linhaId}`,
  { prepared: true },
)

const leases = columns('i', { linhaId: 'uuid', no: 'uuid', epoca: 'bigint' })
const isCurrent = sql`b.linha_id = i.linha_id and b.no = i.no and b.epoca = i.epoca`

export const releaseLeases = noRows(
  'bot: release',
  sql`update linhas_bots b set no = null, livre_desde = clock_timestamp() from ${leases} where ${isCurrent}`,
)

const forgetCurrent = noRows(
  'bot: forget link',
  sql`update linhas_bots set credenciais = null, pasta = null
      where linha_id = ${linhaId} and no = ${no} and epoca = ${value('epoca', 'bigint')} and not desejado`,
)

/** After the phone was unlinked. A bot that is wanted again has no credentials yet. */
export async function forgetLink(tx: Tx, lease: LeaseKey): Promise<void> {
  if ((await forgetCurrent(tx, lease)) === 1) await deleteKeys(tx, lease)
}

const countTaken = oneValue(
  'bot: count taken',
  z.int(),
  sql`select count(*)::int as value from ${leases} join linhas_bots b on b.linha_id = i.linha_id and b.epoca > i.epoca`,
)

/**
 * Counts refused writes in the metrics, one for each lease that lost its bot. A bot that was only stopped, or a deleted
 * row, refuses the write too.
 */
export async function countRefused(
  tx: Tx,
  { metrics }: Pick<Deps, 'metrics'>,
  { kind, leases: refused }: { readonly kind: FencedWrite; readonly leases: readonly LeaseKey[] },
): Promise<void> {
  const taken = await countTaken(tx, { i: refused })
  if (taken > 0) tx.afterCommit(() => metrics.countFenced(kind, taken))
}

export const storeSilences = noRows(
  'bot: store silences',
  sql`update linhas_bots b set ultimo_quadro = now() - make_interval(secs => i.silence_ms / 1000)
      from ${columns('i', { linhaId: 'uuid', no: 'uuid', epoca: 'bigint', silenceMs: 'float8' })} where ${isCurrent}`,
  { prepared: true },
)

/** Locked, so that no session starts with them. Browser sessions keep theirs in a folder. */
export const lockUnownedLink = oneRow(
  'bot: lock unowned link',
  z.omit(leaseSchema, { no: true }),
  sql`select conta_id, linha_id, epoca, conector, credenciais from linhas_bots b
      where conta_id = ${contaId} and linha_id = ${linhaId} and ${isPairedBy('code')} and credenciais is not null and not ${rawSql(BOT_HELD_SQL)}
      for update`,
)

/** A node is condemned 10 s after its last sign, so its bots are marked 30 s after it. */
const FOLDER_MISSING = sql`make_interval(secs => 20)`

/** A node of that folder that comes back takes them as any other bot. */
export const markMachineMissing = manyRows(
  'bot: mark machine missing',
  z.object({ contaId: z.string(), linhaId: z.string() }),
  sql`
update linhas_bots b set status = 'ERRO', motivo = 'maquinaFora', atualizado_em = now(),
  desconectado_desde = coalesce(desconectado_desde, now())
where b.pasta is not null and ${isFree} and ${mayStart} and b.motivo is distinct from 'maquinaFora'
  and (b.livre_desde is null or b.livre_desde < clock_timestamp() - ${FOLDER_MISSING})
  and not exists (select 1 from nos n where n.pasta = b.pasta
    and (n.morto_em is null or n.morto_em > clock_timestamp() - ${FOLDER_MISSING}))
returning conta_id, linha_id`,
  { prepared: true },
)
