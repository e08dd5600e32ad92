import * as z from 'zod/mini'
import { CONECTORES } from '@balcao/contract/constants'
import { type ConectorTipo, connectorsPairedBy } from '@balcao/contract/connectors'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { BOT_FREE_SQL, BOT_HELD_SQL } from '#db/nodes/held-bots.ts'
import type { Tx } from '#db/transaction.ts'
import type { LeaseKey } from '#ports/bots.ts'

/** A node with its fair share leaves new free bots to the others for this long. */
const LEFT_TO_OTHERS_S = 3

const leaseSchema = z.object({
  conta_id: z.string(),
  no: z.string(),
  epoca: z.number(),
  conector: z.enum(CONECTORES),
  credenciais: z.unknown(),
})

/** The right to run the session of one conta while the row of the node is alive. */
export interface Lease extends LeaseKey {
  readonly conector: ConectorTipo
  readonly credenciais: unknown
}

const toLease = ({ conta_id: contaId, ...row }: z.output<typeof leaseSchema>): Lease => ({ contaId, ...row })

/**
 * Grows with the time in milliseconds, so that it does not repeat when a promoted standby lacks the last row. A
 * sequence may hand out a number twice then. Stays below 2^53 until the year 2248.
 */
const NEXT_EPOCA_SQL = `greatest(b.epoca + 1,
  (extract(epoch from clock_timestamp()) * 1000)::bigint * 1024 + floor(random() * 1024)::bigint)`

/** The bots of wanted contas that may start: of no moving conta, and none while an imported backup waits for a decision. */
const MAY_START_SQL = `not ${RESTORE_PENDING_SQL}
  and not exists (select 1 from contas c where c.id = b.conta_id and c.mudanca is not null)`

/** The bot is bound to no data folder, or to one that a live node has. */
const HAS_FOLDER_SQL = `(b.pasta is null
  or exists (select 1 from nos n where n.pasta = b.pasta and n.morto_em is null and not n.saindo))`

export interface TakeOptions {
  /** Only this conta. Default: any. */
  readonly contaId?: string | undefined
  readonly max: number
  /** Also takes bots that have just become free. */
  readonly fresh: boolean
}

/** Takes free bots for a node that is neither condemned nor leaving. */
export async function takeLeases(tx: Tx, node: string, { contaId, max, fresh }: TakeOptions): Promise<Lease[]> {
  const rows = await tx.rows(
    leaseSchema,
    `with eu as materialized (select 1 from nos where id = $1 and morto_em is null and not saindo for share)
     update bots b set no = $1, epoca = ${NEXT_EPOCA_SQL}, livre_desde = null,
       desconectado_desde = case when status = 'CONECTADO' then now() else desconectado_desde end,
       status = 'INICIALIZANDO', motivo = null, qr_code = null, qr_expira_em = null, conectado_como = null,
       pasta = case when conector = any ($5::text[]) and credenciais is not null then (select pasta from nos where id = $1) end
     where exists (select 1 from eu) and conta_id in (
       select b.conta_id from bots b where ${BOT_FREE_SQL} and ${MAY_START_SQL}
         and ($2::uuid is null or b.conta_id = $2) and (b.pasta is null or b.pasta = (select pasta from nos where id = $1))
         and ($4 or b.livre_desde is null or b.livre_desde < clock_timestamp() - make_interval(secs => ${LEFT_TO_OTHERS_S}))
       order by b.livre_desde nulls first limit $3 for update skip locked)
     returning conta_id, no, epoca, conector, credenciais`,
    [node, contaId ?? null, max, fresh, connectorsPairedBy('browser')],
  )
  return rows.map(toLease)
}

/** The limit is no parameter: with one, PostgreSQL plans each call again, which costs more than the count. */
const countFreeSql = (max: number): string => `
select count(*)::int as livres from (
  select from bots b where ${BOT_FREE_SQL} and ${MAY_START_SQL} and ${HAS_FOLDER_SQL} limit ${max}) as livre`

/** Counts the bots that a node may take, up to `max`. Every node does so each second. */
export async function countFree(tx: Tx, max: number): Promise<number> {
  const { rows } = await tx.queryNamed<{ livres: number }>(`bots-livres-${max}`, countFreeSql(max), [])
  return rows[0]?.livres ?? 0
}

const heldLeaseSchema = z.object({
  conta_id: z.string(),
  epoca: z.number(),
  desejado: z.boolean(),
  parada: z.boolean(),
  esquecida: z.boolean(),
})

/** State of a lease. `parada`: this lease was asked to stop, even if the bot has been started again since. */
export interface HeldLease extends LeaseKey {
  readonly desejado: boolean
  readonly parada: boolean
  readonly esquecida: boolean
}

const LIST_HELD_SQL = `select conta_id, epoca, desejado, not (desejado and parada is distinct from epoca) as parada,
    credenciais is null as esquecida
  from bots where no = $1`

/** The leases of a node, or the one of a conta. A lease that is missing is lost. */
export async function listHeldLeases(tx: Tx, node: string, contaId?: string): Promise<HeldLease[]> {
  const { rows } =
    contaId === undefined
      ? await tx.queryNamed('bots-tomados', LIST_HELD_SQL, [node])
      : await tx.queryNamed('bot-tomado', `${LIST_HELD_SQL} and conta_id = $2`, [node, contaId])
  return rows.map((line) => {
    const { conta_id: id, ...row } = heldLeaseSchema.parse(line)
    return { contaId: id, no: node, ...row }
  })
}

/** Frees bots. Leases that are not current any more stay unchanged. */
export async function releaseLeases(tx: Tx, leases: readonly LeaseKey[]): Promise<void> {
  await tx.query(
    `update bots b set no = null, livre_desde = clock_timestamp()
     from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as i (conta_id, no, epoca)
     where b.conta_id = i.conta_id and b.no = i.no and b.epoca = i.epoca`,
    [leases.map(({ contaId }) => contaId), leases.map(({ no }) => no), leases.map(({ epoca }) => epoca)],
  )
}

/** Counts the leases whose bots were taken again since, by this node or another one. */
export async function countTaken(tx: Tx, leases: readonly LeaseKey[]): Promise<number> {
  const [row] = await tx.rows(
    z.object({ tomados: z.number() }),
    `select count(*)::int as tomados from unnest($1::uuid[], $2::bigint[]) as i (conta_id, epoca)
     join bots b on b.conta_id = i.conta_id and b.epoca > i.epoca`,
    [leases.map(({ contaId }) => contaId), leases.map(({ epoca }) => epoca)],
  )
  return row?.tomados ?? 0
}

const STORE_SILENCES_SQL = `update bots b set ultimo_quadro = now() - make_interval(secs => i.silencio_ms / 1000)
  from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::float8[]) as i (conta_id, no, epoca, silencio_ms)
  where b.conta_id = i.conta_id and b.no = i.no and b.epoca = i.epoca`

/** Stores when each link last had data from its service. Returns false when a lease of them is not current. */
export async function storeSilences(
  tx: Tx,
  links: readonly (LeaseKey & { readonly silenceMs: number })[],
): Promise<boolean> {
  const { rowCount } = await tx.queryNamed('bots-silencios', STORE_SILENCES_SQL, [
    links.map(({ contaId }) => contaId),
    links.map(({ no }) => no),
    links.map(({ epoca }) => epoca),
    links.map(({ silenceMs }) => silenceMs),
  ])
  return rowCount === links.length
}

/**
 * Locks and returns the credentials that no session has, so that no session starts with them. Null when a session has
 * them or there is nothing to unlink. Browser sessions keep theirs in a folder.
 */
export async function lockUnownedLink(tx: Tx, contaId: string): Promise<Omit<Lease, 'no'> | null> {
  const [row] = await tx.rows(
    z.omit(leaseSchema, { no: true }),
    `select conta_id, epoca, conector, credenciais from bots b
     where conta_id = $1 and conector = any($2::text[]) and credenciais is not null and not ${BOT_HELD_SQL}
     for update`,
    [contaId, connectorsPairedBy('code')],
  )
  if (row === undefined) return null
  const { conta_id: id, ...link } = row
  return { contaId: id, ...link }
}

/** A node is condemned 10 s after its last sign, so its bots are marked 30 s after it. */
const FOLDER_MISSING_S = 20

/**
 * Marks free bots whose data folder no live node has. Returns their contas. A node of that folder that comes back takes
 * them as any other bot.
 */
export async function markMachineMissing(tx: Tx): Promise<string[]> {
  const rows = await tx.rows(
    z.object({ conta_id: z.string() }),
    `update bots b set status = 'ERRO', motivo = 'maquinaFora', atualizado_em = now(),
       desconectado_desde = coalesce(desconectado_desde, now())
     where b.pasta is not null and ${BOT_FREE_SQL} and ${MAY_START_SQL} and b.motivo is distinct from 'maquinaFora'
       and (b.livre_desde is null or b.livre_desde < clock_timestamp() - make_interval(secs => ${FOLDER_MISSING_S}))
       and not exists (select 1 from nos n where n.pasta = b.pasta
         and (n.morto_em is null or n.morto_em > clock_timestamp() - make_interval(secs => ${FOLDER_MISSING_S})))
     returning conta_id`,
  )
  return rows.map(({ conta_id: contaId }) => contaId)
}
