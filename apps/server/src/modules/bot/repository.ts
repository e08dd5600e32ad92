import * as z from 'zod/mini'
import { CONECTORES } from '@balcao/contract/constants'
import { type ConectorTipo, connectorsPairedBy } from '@balcao/contract/connectors'
import { type MotivoBot, motivoBotSchema, type StatusBot, statusBotSchema } from '@balcao/contract/entities/bot-status'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { plainArray } from '#db/arrays.ts'
import { BOT_HELD_SQL } from '#db/nodes/held-bots.ts'
import type { Tx } from '#db/transaction.ts'
import type { LeaseKey } from '#ports/bots.ts'
import { deleteKeys } from './keys-repository.ts'

/** SQL condition: the lease of these parameters is current and was not asked to stop. */
const MINE_SQL = 'conta_id = $1 and no = $2 and epoca = $3 and desejado and parada is distinct from epoca'
const ALIVE_SQL = `b.desejado and b.parada is distinct from b.epoca and ${BOT_HELD_SQL}`

/** Marks the bot as wanted. A running session keeps its status; otherwise the status starts at INICIALIZANDO. */
export async function wantBot(tx: Tx, contaId: string, conector: ConectorTipo): Promise<void> {
  await tx.query(
    `insert into bots as b (conta_id, desejado, conector, status) values ($1, true, $2, 'INICIALIZANDO')
     on conflict (conta_id) do update set desejado = true, conector = excluded.conector, atualizado_em = now(),
       motivo = case when ${ALIVE_SQL} then b.motivo end,
       pasta = case when b.conector = excluded.conector then b.pasta end,
       status = case when ${ALIVE_SQL} then b.status else 'INICIALIZANDO' end`,
    [contaId, conector],
  )
}

/** Marks the bot as not wanted. The node with the lease reads this after a bus event or at its next round. */
export async function unwantBot(tx: Tx, contaId: string, { esquecer }: { esquecer: boolean }): Promise<void> {
  await tx.query(
    `update bots set desejado = false, parada = epoca, status = 'PARADO', motivo = null, qr_code = null, qr_expira_em = null,
       conectado_como = null, desconectado_desde = null, atualizado_em = now(),
       credenciais = case when $2 then null else credenciais end, pasta = case when $2 then null else pasta end
     where conta_id = $1`,
    [contaId, esquecer],
  )
  if (esquecer) await deleteKeys(tx, contaId)
}

/** Returns the given contas whose phone is linked through the browser profile of this data folder. */
export async function listWithLink(tx: Tx, contas: readonly string[], folder: string): Promise<ReadonlySet<string>> {
  const rows = await tx.rows(
    z.object({ conta_id: z.string() }),
    `select conta_id from bots where conta_id = any($1::uuid[]) and conector = any($2::text[])
       and credenciais is not null and coalesce(pasta, $3) = $3`,
    [contas, connectorsPairedBy('browser'), folder],
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
  { contaId, no, epoca }: LeaseKey,
  state: StoredLinkState,
): Promise<boolean> {
  const connected = state.status === 'CONECTADO'
  const { rowCount } = await tx.query(
    `update bots set status = $4, motivo = $5, qr_code = $6, qr_expira_em = $7, conectado_como = $8,
       desejado = desejado and not $9, credenciais = case when $10 then null else credenciais end,
       pasta = case when $10 then null else pasta end,
       no = case when $9 then null else no end,
       desconectado_desde = case when $11 then null when status = 'CONECTADO' then now() else desconectado_desde end,
       ultimo_quadro = case when $11 then now() end,
       atualizado_em = now()
     where ${MINE_SQL}`,
    [
      ...[contaId, no, epoca],
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

export async function updateCredentials(tx: Tx, { contaId, no, epoca }: LeaseKey, sealed: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update bots set credenciais = $4,
       pasta = case when conector = any ($5::text[]) then (select pasta from nos where id = $2) end
     where ${MINE_SQL}`,
    [contaId, no, epoca, JSON.stringify(sealed), connectorsPairedBy('browser')],
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
  /** A node that is alive has the bot. */
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
       ${BOT_HELD_SQL} as vivo, desejado and ${RESTORE_PENDING_SQL} as retido
     from bots b where conta_id = $1`,
    [contaId],
  )
  return row ?? null
}

/** The node that has the bot of each of these contas. A conta without an entry has none. */
export async function listHolders(tx: Tx, contas: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows(
    z.object({ conta_id: z.string(), no: z.string() }),
    `select conta_id, no from bots b where conta_id = any ($1::uuid[]) and ${BOT_HELD_SQL}`,
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
