import * as z from 'zod/mini'
import type { JournalEntry } from '@balcao/connector/port'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

const contaSchema = z.object({
  contaId: z.string(),
  telefoneId: z.string(),
  contaWhatsappId: z.string(),
  token: z.string(),
  segredo: z.string(),
  verificacao: z.string(),
  endereco: z.string(),
})
export type OficialConta = z.output<typeof contaSchema>

const CONTA = sql`conta_id, telefone_id, conta_whatsapp_id, token, segredo, verificacao, endereco`

export const findOficialConta = oneRow(
  'oficial: find conta',
  contaSchema,
  sql`select ${CONTA} from oficial_contas where conta_id = ${contaId}`,
)

export const findByWebhookAddress = oneRow(
  'oficial: find conta of address',
  contaSchema,
  sql`select ${CONTA} from oficial_contas o
    where endereco = ${value('endereco', 'text')}
      and exists (select 1 from contas c where c.id = o.conta_id and c.excluida_em is null and c.mudanca is null)
      and exists (select 1 from usuarios u where u.conta_id = o.conta_id and u.tipo <> 'operador'
                    and u.status = 'ativo' and u.excluido_em is null)`,
)

export const upsertOficialConta = noRows(
  'oficial: upsert conta',
  sql`insert into oficial_contas (${CONTA})
    values (${contaId}, ${value('telefoneId', 'text')}, ${value('contaWhatsappId', 'text')}, ${value('token', 'text')},
      ${value('segredo', 'text')}, ${value('verificacao', 'text')}, ${value('endereco', 'text')})
    on conflict (conta_id) do update set telefone_id = excluded.telefone_id, token = excluded.token,
      conta_whatsapp_id = excluded.conta_whatsapp_id, segredo = excluded.segredo,
      verificacao = excluded.verificacao, atualizado_em = now()`,
)

export const clearTokenInUse = noRows(
  'oficial: clear token',
  sql`update oficial_contas set token = '', atualizado_em = now()
    where conta_id = ${contaId}
      and exists (select 1 from bots b where b.conta_id = ${contaId} and b.conector = 'oficial')`,
)

const EVENTS_MAX = rawSql('10000')
const EVENTS_MAX_BYTES = rawSql('50000000')

const isJournalFull = oneValue(
  'oficial: is journal full',
  z.boolean(),
  sql`select count(*) >= ${EVENTS_MAX} or coalesce(sum(octet_length(valor)), 0) >= ${EVENTS_MAX_BYTES} as value
    from (select valor from oficial_chegadas where conta_id = ${contaId} limit ${EVENTS_MAX}) as c`,
)

const insertEvents = noRows(
  'oficial: insert events',
  sql`insert into oficial_chegadas (conta_id, id, valor)
    select ${contaId}, i.id, i.valor from ${columns('i', { id: 'text', valor: 'text' }, { number: 'n' })} order by i.n
    on conflict (conta_id, id) do nothing`,
)

/** Returns false and inserts no row if 10,000 events or 50 MB wait already. Meta delivers refused events again. */
export async function insertWebhookEvents(tx: Tx, contaId: string, events: readonly JournalEntry[]): Promise<boolean> {
  if (await isJournalFull(tx, { contaId })) return false
  await insertEvents(tx, { contaId, i: events })
  return true
}

/** Due entries, at most 200: at least one, and further ones while those before them have less than 5 MB. */
export const listWebhookEvents = manyRows(
  'oficial: list events',
  z.object({ id: z.string(), valor: z.string(), chegouEm: z.date() }),
  sql`select id, valor, chegou_em from (
      select *, sum(octet_length(valor)) over (order by ordem) - octet_length(valor) as antes
      from (select id, valor, chegou_em, ordem from oficial_chegadas
            where conta_id = ${contaId} and id <> all (${value('skip', 'text[]')})
              and (tentar_em is null or tentar_em <= now())
            order by ordem limit 200) as p) as q
    where antes < 5000000 order by ordem`,
)

const ids = value('ids', 'text[]')

/** Keeps entries that cannot be opened out of the list for 1 minute, then twice as long each time, at most 1 hour. */
export const delayWebhookEvents = noRows(
  'oficial: delay events',
  sql`update oficial_chegadas set tentativas = tentativas + 1,
      tentar_em = now() + least(interval '1 hour', interval '1 minute' * (2 ^ least(tentativas, 6)))
    where conta_id = ${contaId} and id = any (${ids})`,
)

export const deleteWebhookEvents = noRows(
  'oficial: delete events',
  sql`delete from oficial_chegadas where conta_id = ${contaId} and id = any (${ids})`,
)

export const deleteOldEvents = noRows(
  'oficial: delete old events',
  sql`delete from oficial_chegadas where conta_id = ${contaId} and id = any (array(
      select id from oficial_chegadas where conta_id = ${contaId} and chegou_em < ${value('em', 'timestamptz')}
      order by ordem limit 1000))`,
)

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
