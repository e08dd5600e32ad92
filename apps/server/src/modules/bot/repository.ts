import * as z from 'zod/mini'
import { CONECTORES } from '@balcao/contract/constants'
import { type ConectorTipo, connectorsPairedBy } from '@balcao/contract/connectors'
import { type MotivoBot, motivoBotSchema, type StatusBot, statusBotSchema } from '@balcao/contract/entities/bot-status'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { deleteKeys } from './keys-repository.ts'

/** Lease duration in seconds. Measured by the database's clock, which all nodes share. */
export const LEASE_S = 20
/** Leases taken per statement. Small, so that other nodes get their share. */
export const LEASES_PER_TAKE = 20

const leaseSchema = z.object({
  conta_id: z.string(),
  epoca: z.number(),
  conector: z.enum(CONECTORES),
  credenciais: z.unknown(),
})

/** The right to run the session of one conta until it expires. `epoca` is the fencing token. */
export interface Lease {
  readonly contaId: string
  readonly epoca: number
  readonly conector: ConectorTipo
  readonly credenciais: unknown
}

const toLease = (row: z.output<typeof leaseSchema>): Lease => ({
  contaId: row.conta_id,
  epoca: row.epoca,
  conector: row.conector,
  credenciais: row.credenciais,
})

/** The bot is wanted, and this lease was not asked to stop. */
const NOT_STOPPED_SQL = '(desejado and parada is distinct from epoca)'
const ALIVE_SQL = 'b.desejado and b.parada is distinct from b.epoca and b.lease_expira > now()'

/** Marks the bot as wanted. A running session keeps its status; otherwise the status starts at INICIALIZANDO. */
export async function wantBot(tx: Tx, contaId: string, conector: ConectorTipo): Promise<void> {
  await tx.query(
    `insert into bots as b (conta_id, desejado, conector, status) values ($1, true, $2, 'INICIALIZANDO')
     on conflict (conta_id) do update set desejado = true, conector = excluded.conector, atualizado_em = now(),
       motivo = case when ${ALIVE_SQL} then b.motivo end,
       status = case when ${ALIVE_SQL} then b.status else 'INICIALIZANDO' end`,
    [contaId, conector],
  )
}

/** Marks the bot as not wanted. The node with the lease reads this after a bus event or at its next renewal. */
export async function unwantBot(tx: Tx, contaId: string, { esquecer }: { esquecer: boolean }): Promise<void> {
  await tx.query(
    `update bots set desejado = false, parada = epoca, status = 'PARADO', motivo = null, qr_code = null, qr_expira_em = null,
       conectado_como = null, desconectado_desde = null, atualizado_em = now(),
       credenciais = case when $2 then null else credenciais end
     where conta_id = $1`,
    [contaId, esquecer],
  )
  if (esquecer) await deleteKeys(tx, contaId)
}

/**
 * Takes free or expired leases of wanted bots, none of a moving conta, and none while an imported backup waits for a
 * decision. `includeHeld`
 * also takes unexpired leases of other nodes, for a process that runs alone. A lease of another node that ends later
 * than a renewal allows is from before the clock was set back, and counts as expired.
 */
export async function takeLeases(
  tx: Tx,
  node: string,
  { contaId, includeHeld }: { contaId?: string; includeHeld: boolean },
): Promise<Lease[]> {
  const rows = await tx.rows(
    leaseSchema,
    `update bots set no = $1, epoca = nextval('epocas'), lease_expira = now() + make_interval(secs => $2),
       desconectado_desde = case when status = 'CONECTADO' then now() else desconectado_desde end,
       status = 'INICIALIZANDO', motivo = null, qr_code = null, qr_expira_em = null, conectado_como = null
     where conta_id in (
       select conta_id from bots
       where desejado and ($3::uuid is null or conta_id = $3) and not ${RESTORE_PENDING_SQL}
         and not exists (select 1 from contas c where c.id = bots.conta_id and c.mudanca is not null)
         and (no is null or lease_expira is null or lease_expira < now()
           or (no <> $1 and ($4 or lease_expira > now() + 2 * make_interval(secs => $2))))
       limit ${LEASES_PER_TAKE} for update skip locked)
     returning conta_id, epoca, conector, credenciais`,
    [node, LEASE_S, contaId ?? null, includeHeld],
  )
  return rows.map(toLease)
}

const renewedLeaseSchema = z.object({
  conta_id: z.string(),
  desejado: z.boolean(),
  parada: z.boolean(),
  esquecida: z.boolean(),
})

/** State of a renewed lease. `parada`: this lease was asked to stop, even if the bot has been started again since. */
export interface RenewedLease {
  readonly contaId: string
  readonly desejado: boolean
  readonly parada: boolean
  readonly esquecida: boolean
}

export type LeaseToRenew = Pick<Lease, 'contaId' | 'epoca'> & { readonly silenceMs: number | null }

/** Renews all leases of this node in one statement. A lease missing from the result is lost. */
export async function renewLeases(tx: Tx, node: string, leases: readonly LeaseToRenew[]): Promise<RenewedLease[]> {
  const rows = await tx.rows(
    renewedLeaseSchema,
    `update bots b set lease_expira = now() + make_interval(secs => $2),
       ultimo_quadro = coalesce(now() - make_interval(secs => i.silencio_ms / 1000), b.ultimo_quadro)
     from unnest($3::uuid[], $4::bigint[], $5::float8[]) as i (conta_id, epoca, silencio_ms)
     where b.conta_id = i.conta_id and b.epoca = i.epoca and b.no = $1
     returning b.conta_id, b.desejado, not (b.desejado and b.parada is distinct from b.epoca) as parada, b.credenciais is null as esquecida`,
    [
      node,
      LEASE_S,
      leases.map(({ contaId }) => contaId),
      leases.map(({ epoca }) => epoca),
      leases.map(({ silenceMs }) => silenceMs),
    ],
  )
  return rows.map(({ conta_id: contaId, ...row }) => ({ contaId, ...row }))
}

export async function releaseLease(tx: Tx, contaId: string, epoch: number): Promise<void> {
  await tx.query('update bots set no = null, lease_expira = null where conta_id = $1 and epoca = $2', [contaId, epoch])
}

/**
 * Locks and returns the credentials that no session holds, so that no session starts with them. Null when
 * a session holds them or there is nothing to unlink. Browser sessions keep theirs in a folder.
 */
export async function lockUnownedLink(tx: Tx, contaId: string): Promise<Lease | null> {
  const [row] = await tx.rows(
    leaseSchema,
    `select conta_id, epoca, conector, credenciais from bots
     where conta_id = $1 and conector = any($2::text[]) and credenciais is not null and (lease_expira > now()) is not true
     for update`,
    [contaId, connectorsPairedBy('code')],
  )
  return row === undefined ? null : toLease(row)
}

/** Returns the given contas that still have credentials of a browser session. */
export async function listWithLink(tx: Tx, contas: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.rows(
    z.object({ conta_id: z.string() }),
    `select conta_id from bots where conta_id = any($1::uuid[]) and conector = any($2::text[])
       and credenciais is not null`,
    [contas, connectorsPairedBy('browser')],
  )
  return new Set(rows.map(({ conta_id: contaId }) => contaId))
}

export interface StoredLinkState {
  readonly status: StatusBot
  readonly motivo?: MotivoBot
  readonly qrCode?: string
  readonly qrExpiraEm?: Date
  readonly conectadoComo?: string
  readonly ended?: boolean
  readonly forget?: boolean
}

/** Returns false and writes nothing when another node holds the lease or the bot was stopped. */
export async function updateLinkState(
  tx: Tx,
  contaId: string,
  epoch: number,
  state: StoredLinkState,
): Promise<boolean> {
  const connected = state.status === 'CONECTADO'
  const { rowCount } = await tx.query(
    `update bots set status = $3, motivo = $4, qr_code = $5, qr_expira_em = $6, conectado_como = $7,
       desejado = desejado and not $8, credenciais = case when $9 then null else credenciais end,
       no = case when $8 then null else no end, lease_expira = case when $8 then null else lease_expira end,
       desconectado_desde = case when $10 then null when status = 'CONECTADO' then now() else desconectado_desde end,
       ultimo_quadro = case when $10 then now() end,
       atualizado_em = now()
     where conta_id = $1 and epoca = $2 and ${NOT_STOPPED_SQL}`,
    [
      contaId,
      epoch,
      state.status,
      state.motivo ?? null,
      state.qrCode ?? null,
      state.qrExpiraEm ?? null,
      state.conectadoComo ?? null,
      state.ended ?? false,
      state.forget ?? false,
      connected,
    ],
  )
  if (rowCount === 1 && state.forget === true) await deleteKeys(tx, contaId)
  return rowCount === 1
}

export async function updateCredentials(tx: Tx, contaId: string, epoch: number, sealed: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update bots set credenciais = $3 where conta_id = $1 and epoca = $2 and ${NOT_STOPPED_SQL}`,
    [contaId, epoch, JSON.stringify(sealed)],
  )
  return rowCount === 1
}

const botSchema = z.object({
  desejado: z.boolean(),
  conector: z.enum(CONECTORES),
  status: statusBotSchema,
  motivo: z.nullable(motivoBotSchema),
  qr_code: z.nullable(z.string()),
  qr_expira_em: z.nullable(z.date()),
  conectado_como: z.nullable(z.string()),
  vivo: z.boolean(),
  /** Wanted, but an imported backup waits for the administrator's decision. */
  retido: z.boolean(),
  no: z.nullable(z.string()),
})
export type BotRow = z.output<typeof botSchema>

export async function findBot(tx: Tx, contaId: string): Promise<BotRow | null> {
  const [row] = await tx.rows(
    botSchema,
    `select desejado, conector, status, motivo, qr_code, qr_expira_em, conectado_como, no,
       coalesce(lease_expira > now(), false) as vivo, desejado and ${RESTORE_PENDING_SQL} as retido
     from bots where conta_id = $1`,
    [contaId],
  )
  return row ?? null
}

/** The node that has the bot of each of these contas. A conta without an entry has none. */
export async function listHolders(tx: Tx, contas: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows(
    z.object({ conta_id: z.string(), no: z.string() }),
    `select conta_id, no from bots where conta_id = any ($1::uuid[]) and no is not null and lease_expira > now()`,
    [plainArray(contas)],
  )
  return new Map(rows.map(({ conta_id: contaId, no }) => [contaId, no]))
}

/** Contas disconnected for more than five minutes and less than one day. */
export async function listDisconnected(tx: Tx): Promise<{ contaId: string; desde: Date }[]> {
  const rows = await tx.rows(
    z.object({ conta_id: z.string(), desconectado_desde: z.date() }),
    `select conta_id, desconectado_desde from bots
     where desconectado_desde between now() - interval '1 day' and now() - interval '5 minutes'
       and not ${RESTORE_PENDING_SQL}`,
  )
  return rows.map((row) => ({ contaId: row.conta_id, desde: row.desconectado_desde }))
}

/** Stored in the same transaction, so the node that runs the bot stops it even if this node crashes. */
export async function markUnwanted(tx: Tx, contaId: string): Promise<void> {
  await tx.kysely
    .updateTable('bots')
    .set((eb) => ({ desejado: false, parada: eb.ref('epoca') }))
    .where('contaId', '=', contaId)
    .execute()
}
