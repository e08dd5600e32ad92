import * as z from 'zod/mini'
import type { JournalEntry } from '@balcao/connector/port'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

/** Tables `oficial_contas` and `oficial_chegadas`. Secrets and events are stored sealed. */

const contaSchema = z.object({
  conta_id: z.string(),
  telefone_id: z.string(),
  conta_whatsapp_id: z.string(),
  token: z.string(),
  segredo: z.string(),
  verificacao: z.string(),
  endereco: z.string(),
})
export type OficialContaRow = z.output<typeof contaSchema>

const COLUMNS = 'conta_id, telefone_id, conta_whatsapp_id, token, segredo, verificacao, endereco'

export async function findOficialConta(tx: Tx, contaId: string): Promise<OficialContaRow | null> {
  const [row] = await tx.rows(contaSchema, `select ${COLUMNS} from oficial_contas where conta_id = $1`, [contaId])
  return row ?? null
}

/** Finds the account of an address while the account is neither deleted, deactivated nor moving. */
export async function findByWebhookAddress(tx: Tx, address: string): Promise<OficialContaRow | null> {
  const [row] = await tx.rows(
    contaSchema,
    `select ${COLUMNS} from oficial_contas o
     where endereco = $1
       and exists (select 1 from contas c where c.id = o.conta_id and c.excluida_em is null and c.mudanca is null)
       and exists (select 1 from usuarios u where u.conta_id = o.conta_id and u.tipo <> 'operador'
                     and u.status = 'ativo' and u.excluido_em is null)`,
    [address],
  )
  return row ?? null
}

/** An update keeps the address of the webhook. */
export async function upsertOficialConta(tx: Tx, conta: OficialContaRow): Promise<void> {
  await tx.query(
    `insert into oficial_contas (conta_id, telefone_id, conta_whatsapp_id, token, segredo, verificacao, endereco)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (conta_id) do update set telefone_id = excluded.telefone_id, token = excluded.token,
       conta_whatsapp_id = excluded.conta_whatsapp_id, segredo = excluded.segredo,
       verificacao = excluded.verificacao, atualizado_em = now()`,
    [
      conta.conta_id,
      conta.telefone_id,
      conta.conta_whatsapp_id,
      conta.token,
      conta.segredo,
      conta.verificacao,
      conta.endereco,
    ],
  )
}

/** Clears the access token of a bot that uses Meta's API. The other settings stay. */
export async function clearTokenInUse(tx: Tx, contaId: string): Promise<void> {
  await tx.query(
    `update oficial_contas set token = '', atualizado_em = now()
     where conta_id = $1 and exists (select 1 from bots b where b.conta_id = $1 and b.conector = 'oficial')`,
    [contaId],
  )
}

const EVENTS_MAX = 10_000
const EVENTS_MAX_BYTES = 50_000_000

/** Returns false and inserts no row if 10,000 events or 50 MB wait already. Meta delivers refused events again. */
export async function insertWebhookEvents(tx: Tx, contaId: string, events: readonly JournalEntry[]): Promise<boolean> {
  const { rows } = await tx.query<{ cheio: boolean }>(
    `select count(*) >= ${EVENTS_MAX} or coalesce(sum(octet_length(valor)), 0) >= ${EVENTS_MAX_BYTES} as cheio
     from (select valor from oficial_chegadas where conta_id = $1 limit ${EVENTS_MAX}) as c`,
    [contaId],
  )
  if (rows[0]?.cheio === true) return false
  await tx.query(
    `insert into oficial_chegadas (conta_id, id, valor)
     select $1, i.id, i.valor from unnest($2::text[], $3::text[]) with ordinality as i (id, valor, n) order by i.n
     on conflict (conta_id, id) do nothing`,
    [contaId, events.map(({ id }) => id), events.map(({ valor }) => valor)],
  )
  return true
}

const BATCH_SIZE = 200
const BATCH_MAX_BYTES = 5_000_000

const eventSchema = z.object({ id: z.string(), valor: z.string(), chegou_em: z.date() })

/** Due entries: at least one, and further ones while those before them have less than 5 MB. */
export async function listWebhookEvents(
  tx: Tx,
  contaId: string,
  skip: readonly string[],
): Promise<z.output<typeof eventSchema>[]> {
  return tx.rows(
    eventSchema,
    `select id, valor, chegou_em from (
       select *, sum(octet_length(valor)) over (order by ordem) - octet_length(valor) as antes
       from (select id, valor, chegou_em, ordem from oficial_chegadas
             where conta_id = $1 and id <> all ($2::text[]) and (tentar_em is null or tentar_em <= now())
             order by ordem limit ${BATCH_SIZE}) as p) as q
     where antes < ${BATCH_MAX_BYTES} order by ordem`,
    [contaId, skip],
  )
}

/** Keeps entries that cannot be opened out of the list for 1 minute, then twice as long each time, at most 1 hour. */
export async function delayWebhookEvents(tx: Tx, contaId: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update oficial_chegadas set tentativas = tentativas + 1,
       tentar_em = now() + least(interval '1 hour', interval '1 minute' * (2 ^ least(tentativas, 6)))
     where conta_id = $1 and id = any ($2::text[])`,
    [contaId, ids],
  )
}

export async function deleteWebhookEvents(tx: Tx, contaId: string, ids: readonly string[]): Promise<void> {
  await tx.query('delete from oficial_chegadas where conta_id = $1 and id = any ($2::text[])', [contaId, ids])
}

const OLD_BATCH = 1_000

/** Deletes one batch of events for a bot that was not started in time. Returns the number of rows. */
export async function deleteOldEvents(tx: Tx, contaId: string, { em }: { readonly em: Date }): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from oficial_chegadas where conta_id = $1 and id = any (array(
       select id from oficial_chegadas where conta_id = $1 and chegou_em < $2 order by ordem limit ${OLD_BATCH}))`,
    [contaId, em],
  )
  return rowCount ?? 0
}

type OficialVault = Deps['vault']
export type OficialSecret = 'token' | 'segredo' | 'verificacao'

/** Seals a secret for one column of one conta. An empty value stays empty. */
export function sealSecret(vault: OficialVault, contaId: string, which: OficialSecret, value: string): string {
  return value === '' ? '' : vault.seal(value, secretSealContext(contaId, which))
}

export function openSecret(vault: OficialVault, contaId: string, which: OficialSecret, sealed: string): string {
  return sealed === '' ? '' : vault.open(sealed, secretSealContext(contaId, which))
}

/** As `openSecret`. A secret that cannot be read counts as missing, so that the owner can save it again. */
export function readableSecret(vault: OficialVault, contaId: string, which: OficialSecret, sealed: string): string {
  return sealed === '' ? '' : (vault.tryOpen(sealed, secretSealContext(contaId, which)) ?? '')
}

export function eventSealContext(contaId: string, id: string): string {
  return `oficial_chegadas|valor|${contaId}|${id}`
}

function secretSealContext(contaId: string, qual: OficialSecret): string {
  return `oficial_contas|${qual}|${contaId}|conta`
}
