import * as z from 'zod/mini'
import { CONECTORES, type ConectorTipo } from '@balcao/contract/constants'
import { type MotivoBot, motivoBotSchema, type StatusBot, statusBotSchema } from '@balcao/contract/entities/bot-status'
import type { Tx } from '#db/transaction.ts'
import { apagarChaves } from './chaves-repository.ts'

/** Lease duration in seconds. Measured by the database's clock, which all nodes share. */
export const LEASE_S = 20
/** Leases taken per statement. Small, so that other nodes get their share. */
export const TOMADAS_POR_VEZ = 20

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
const DE_PE = '(desejado and parada is distinct from epoca)'
const VIVE = 'b.desejado and b.parada is distinct from b.epoca and b.lease_expira > now()'

/** Marks the bot as wanted. A running session keeps its status; otherwise the status starts at INICIALIZANDO. */
export async function desejar(tx: Tx, contaId: string, conector: ConectorTipo): Promise<void> {
  await tx.query(
    `insert into bots as b (conta_id, desejado, conector, status) values ($1, true, $2, 'INICIALIZANDO')
     on conflict (conta_id) do update set desejado = true, conector = excluded.conector, atualizado_em = now(),
       motivo = case when ${VIVE} then b.motivo end,
       status = case when ${VIVE} then b.status else 'INICIALIZANDO' end`,
    [contaId, conector],
  )
}

/** Marks the bot as not wanted. The node with the lease reads this after a bus event or at its next renewal. */
export async function naoDesejar(tx: Tx, contaId: string, { esquecer }: { esquecer: boolean }): Promise<void> {
  await tx.query(
    `update bots set desejado = false, parada = epoca, status = 'PARADO', motivo = null, qr_code = null, qr_expira_em = null,
       conectado_como = null, desconectado_desde = null, atualizado_em = now(),
       credenciais = case when $2 then null else credenciais end
     where conta_id = $1`,
    [contaId, esquecer],
  )
  if (esquecer) await apagarChaves(tx, contaId)
}

/**
 * Takes free or expired leases of wanted bots. `todas` also takes unexpired leases of other nodes, for a process
 * that runs alone.
 */
export async function tomarLeases(
  tx: Tx,
  no: string,
  { contaId, todas }: { contaId?: string; todas: boolean },
): Promise<Lease[]> {
  const rows = await tx.rows(
    leaseSchema,
    `update bots set no = $1, epoca = nextval('epocas'), lease_expira = now() + make_interval(secs => $2),
       desconectado_desde = case when status = 'CONECTADO' then now() else desconectado_desde end,
       status = 'INICIALIZANDO', motivo = null, qr_code = null, qr_expira_em = null, conectado_como = null
     where conta_id in (
       select conta_id from bots
       where desejado and ($3::uuid is null or conta_id = $3)
         and (no is null or lease_expira is null or lease_expira < now() or ($4 and no <> $1))
       limit ${TOMADAS_POR_VEZ} for update skip locked)
     returning conta_id, epoca, conector, credenciais`,
    [no, LEASE_S, contaId ?? null, todas],
  )
  return rows.map(toLease)
}

const renovadaSchema = z.object({
  conta_id: z.string(),
  desejado: z.boolean(),
  parada: z.boolean(),
  esquecida: z.boolean(),
})

/** State of a renewed lease. `parada`: this lease was asked to stop, even if the bot has been started again since. */
export interface Renovada {
  readonly contaId: string
  readonly desejado: boolean
  readonly parada: boolean
  readonly esquecida: boolean
}

export type LeaseARenovar = Pick<Lease, 'contaId' | 'epoca'> & { readonly silencioMs: number | null }

/** Renews all leases of this node in one statement. A lease missing from the result is lost. */
export async function renovarLeases(tx: Tx, no: string, leases: readonly LeaseARenovar[]): Promise<Renovada[]> {
  const rows = await tx.rows(
    renovadaSchema,
    `update bots b set lease_expira = now() + make_interval(secs => $2),
       ultimo_quadro = coalesce(now() - make_interval(secs => i.silencio_ms / 1000), b.ultimo_quadro)
     from unnest($3::uuid[], $4::bigint[], $5::float8[]) as i (conta_id, epoca, silencio_ms)
     where b.conta_id = i.conta_id and b.epoca = i.epoca and b.no = $1
     returning b.conta_id, b.desejado, not (b.desejado and b.parada is distinct from b.epoca) as parada, b.credenciais is null as esquecida`,
    [
      no,
      LEASE_S,
      leases.map(({ contaId }) => contaId),
      leases.map(({ epoca }) => epoca),
      leases.map(({ silencioMs }) => silencioMs),
    ],
  )
  return rows.map(({ conta_id: contaId, ...row }) => ({ contaId, ...row }))
}

export async function soltarLease(tx: Tx, contaId: string, epoca: number): Promise<void> {
  await tx.query('update bots set no = null, lease_expira = null where conta_id = $1 and epoca = $2', [contaId, epoca])
}

/**
 * Locks and returns the WhatsApp credentials that no session holds, so that no session starts with them. Null when
 * a session holds them or there is nothing to unlink. Browser sessions keep theirs in a folder.
 */
export async function travarVinculoSolto(tx: Tx, contaId: string): Promise<Lease | null> {
  const [row] = await tx.rows(
    leaseSchema,
    `select conta_id, epoca, conector, credenciais from bots
     where conta_id = $1 and conector = 'whatsapp' and credenciais is not null and (lease_expira > now()) is not true
     for update`,
    [contaId],
  )
  return row === undefined ? null : toLease(row)
}

/** Returns the given contas that still have credentials of a browser session. */
export async function listComVinculo(tx: Tx, contas: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.rows(
    z.object({ conta_id: z.string() }),
    `select conta_id from bots where conta_id = any($1::uuid[]) and conector = 'navegador' and credenciais is not null`,
    [contas],
  )
  return new Set(rows.map(({ conta_id: contaId }) => contaId))
}

export interface EstadoGravado {
  readonly status: StatusBot
  readonly motivo?: MotivoBot
  readonly qrCode?: string
  readonly qrExpiraEm?: Date
  readonly conectadoComo?: string
  readonly encerrado?: boolean
  readonly esquecer?: boolean
}

/** Returns false and writes nothing when another node holds the lease or the bot was stopped. */
export async function gravarEstado(tx: Tx, contaId: string, epoca: number, estado: EstadoGravado): Promise<boolean> {
  const conectado = estado.status === 'CONECTADO'
  const { rowCount } = await tx.query(
    `update bots set status = $3, motivo = $4, qr_code = $5, qr_expira_em = $6, conectado_como = $7,
       desejado = desejado and not $8, credenciais = case when $9 then null else credenciais end,
       no = case when $8 then null else no end, lease_expira = case when $8 then null else lease_expira end,
       desconectado_desde = case when $10 then null when status = 'CONECTADO' then now() else desconectado_desde end,
       ultimo_quadro = case when $10 then now() end,
       atualizado_em = now()
     where conta_id = $1 and epoca = $2 and ${DE_PE}`,
    [
      contaId,
      epoca,
      estado.status,
      estado.motivo ?? null,
      estado.qrCode ?? null,
      estado.qrExpiraEm ?? null,
      estado.conectadoComo ?? null,
      estado.encerrado ?? false,
      estado.esquecer ?? false,
      conectado,
    ],
  )
  if (rowCount === 1 && estado.esquecer === true) await apagarChaves(tx, contaId)
  return rowCount === 1
}

export async function gravarCredenciais(tx: Tx, contaId: string, epoca: number, seladas: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update bots set credenciais = $3 where conta_id = $1 and epoca = $2 and ${DE_PE}`,
    [contaId, epoca, JSON.stringify(seladas)],
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
  no: z.nullable(z.string()),
})
export type BotRow = z.output<typeof botSchema>

export async function findBot(tx: Tx, contaId: string): Promise<BotRow | null> {
  const [row] = await tx.rows(
    botSchema,
    `select desejado, conector, status, motivo, qr_code, qr_expira_em, conectado_como, no,
       coalesce(lease_expira > now(), false) as vivo
     from bots where conta_id = $1`,
    [contaId],
  )
  return row ?? null
}

/** Contas disconnected for more than five minutes and less than one day. */
export async function listSemConexao(tx: Tx): Promise<{ contaId: string; desde: Date }[]> {
  const rows = await tx.rows(
    z.object({ conta_id: z.string(), desconectado_desde: z.date() }),
    `select conta_id, desconectado_desde from bots
     where desconectado_desde between now() - interval '1 day' and now() - interval '5 minutes'`,
  )
  return rows.map((row) => ({ contaId: row.conta_id, desde: row.desconectado_desde }))
}
