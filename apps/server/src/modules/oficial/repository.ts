import * as z from 'zod/mini'
import type { JournalEntry } from '@balcao/connector/port'
import { columns, contaId, linhaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { LineKey } from '#ports/bots.ts'

const lineSchema = z.object({
  contaId: z.string(),
  linhaId: z.string(),
  telefoneId: z.string(),
  contaWhatsappId: z.string(),
  token: z.string(),
  segredo: z.string(),
  verificacao: z.string(),
  endereco: z.string(),
})
export type OficialLine = z.output<typeof lineSchema>

const LINE = sql`conta_id, linha_id, telefone_id, conta_whatsapp_id, token, segredo, verificacao, endereco`

export const findOficialLine = oneRow(
  'oficial: find line',
  lineSchema,
  sql`select ${LINE} from linhas_oficial where conta_id = ${contaId} and linha_id = ${linhaId}`,
)

export const listOficialLines = manyRows(
  'oficial: list lines',
  z.object({ linhaId: z.string() }),
  sql`select linha_id from linhas_oficial where conta_id = ${contaId}`,
)

export const findByWebhookAddress = oneRow(
  'oficial: find line of address',
  lineSchema,
  sql`select ${LINE} from linhas_oficial o
    where endereco = ${value('endereco', 'text')}
      and exists (select 1 from contas c where c.id = o.conta_id and c.excluida_em is null and c.mudanca is null)
      and exists (select 1 from usuarios u where u.conta_id = o.conta_id and u.tipo <> 'operador'
                    and u.status = 'ativo' and u.excluido_em is null)
      and not exists (select 1 from linhas l where l.conta_id = o.conta_id and l.id = o.linha_id and l.removida_em is not null)`,
)

export const upsertOficialLine = noRows(
  'oficial: upsert line',
  sql`insert into linhas_oficial (${LINE})
    values (${contaId}, ${linhaId}, ${value('telefoneId', 'text')}, ${value('contaWhatsappId', 'text')}, ${value('token', 'text')},
      ${value('segredo', 'text')}, ${value('verificacao', 'text')}, ${value('endereco', 'text')})
    on conflict (linha_id) do update set telefone_id = excluded.telefone_id, token = excluded.token,
      conta_whatsapp_id = excluded.conta_whatsapp_id, segredo = excluded.segredo,
      verificacao = excluded.verificacao, atualizado_em = now()`,
)

export const findUnpaid = oneRow(
  'oficial: find unpaid',
  z.object({ semPagamentoDesde: z.nullable(z.date()) }),
  sql`select sem_pagamento_desde from linhas_oficial where conta_id = ${contaId} and linha_id = ${linhaId}`,
)

export const updateUnpaid = noRows(
  'oficial: update unpaid',
  sql`update linhas_oficial set sem_pagamento_desde = ${value('since', 'timestamptz?')}
    where conta_id = ${contaId} and linha_id = ${linhaId}`,
)

export const findOrdersRefused = oneRow(
  'oficial: find refused orders',
  z.object({ pedidosRecusadosEm: z.nullable(z.date()) }),
  sql`select pedidos_recusados_em from linhas_oficial where conta_id = ${contaId} and linha_id = ${linhaId}`,
)

export const updateOrdersRefused = noRows(
  'oficial: update refused orders',
  sql`update linhas_oficial set pedidos_recusados_em = ${value('at', 'timestamptz')}
    where conta_id = ${contaId} and linha_id = ${linhaId}`,
)

/** Scheduled messages are of the person who wrote them. */
export const isAutomatic = oneValue(
  'oficial: is automatic',
  z.boolean(),
  sql`select exists (select from mensagens where conta_id = ${contaId} and id = ${value('id', 'uuid')}
      and origem in ('bot', 'ia')) as value`,
)

export const clearTokenInUse = noRows(
  'oficial: clear token',
  sql`update linhas_oficial set token = '', atualizado_em = now()
    where conta_id = ${contaId} and linha_id = ${linhaId}
      and exists (select 1 from linhas_bots b where b.linha_id = ${linhaId} and b.conector = 'oficial')`,
)

const EVENTS_MAX = rawSql('10000')
const EVENTS_MAX_BYTES = rawSql('50000000')

const isJournalFull = oneValue(
  'oficial: is journal full',
  z.boolean(),
  sql`select count(*) >= ${EVENTS_MAX} or coalesce(sum(octet_length(valor)), 0) >= ${EVENTS_MAX_BYTES} as value
    from (select valor from linhas_oficial_chegadas where linha_id = ${linhaId} limit ${EVENTS_MAX}) as c`,
)

const insertEvents = noRows(
  'oficial: insert events',
  sql`insert into linhas_oficial_chegadas (conta_id, linha_id, id, valor)
    select ${contaId}, ${linhaId}, i.id, i.valor from ${columns('i', { id: 'text', valor: 'text' }, { number: 'n' })} order by i.n
    on conflict (linha_id, id) do nothing`,
)

/** Returns false and inserts no row if 10,000 events or 50 MB wait already. Meta delivers refused events again. */
export async function insertWebhookEvents(tx: Tx, line: LineKey, events: readonly JournalEntry[]): Promise<boolean> {
  if (await isJournalFull(tx, line)) return false
  await insertEvents(tx, { ...line, i: events })
  return true
}

/** Due entries, at most 200: at least one, and further ones while those before them have less than 5 MB. */
export const listWebhookEvents = manyRows(
  'oficial: list events',
  z.object({ id: z.string(), valor: z.string(), chegouEm: z.date() }),
  sql`select id, valor, chegou_em from (
      select *, sum(octet_length(valor)) over (order by ordem) - octet_length(valor) as antes
      from (select id, valor, chegou_em, ordem from linhas_oficial_chegadas
            where linha_id = ${linhaId} and id <> all (${value('skip', 'text[]')})
              and (tentar_em is null or tentar_em <= now())
            order by ordem limit 200) as p) as q
    where antes < 5000000 order by ordem`,
)

const ids = value('ids', 'text[]')

/** Keeps entries that cannot be opened out of the list for 1 minute, then twice as long each time, at most 1 hour. */
export const delayWebhookEvents = noRows(
  'oficial: delay events',
  sql`update linhas_oficial_chegadas set tentativas = tentativas + 1,
      tentar_em = now() + least(interval '1 hour', interval '1 minute' * (2 ^ least(tentativas, 6)))
    where linha_id = ${linhaId} and id = any (${ids})`,
)

export const deleteWebhookEvents = noRows(
  'oficial: delete events',
  sql`delete from linhas_oficial_chegadas where linha_id = ${linhaId} and id = any (${ids})`,
)

export const deleteOldEvents = noRows(
  'oficial: delete old events',
  sql`delete from linhas_oficial_chegadas where ctid = any (array(
      select ctid from linhas_oficial_chegadas
      where linha_id in (select o.linha_id from linhas_oficial o where o.conta_id = ${contaId}) and chegou_em < ${value('em', 'timestamptz')}
      order by ordem limit 1000))`,
)

type OficialVault = Deps['vault']
export type OficialSecret = 'token' | 'segredo' | 'verificacao'

/** Seals a secret for one column of one line. An empty value stays empty. */
export function sealSecret(vault: OficialVault, linhaId: string, which: OficialSecret, value: string): string {
  return value === '' ? '' : vault.seal(value, secretSealContext(linhaId, which))
}

export function openSecret(vault: OficialVault, linhaId: string, which: OficialSecret, sealed: string): string {
  return sealed === '' ? '' : vault.open(sealed, secretSealContext(linhaId, which))
}

/** As `openSecret`. A secret that cannot be read counts as missing, so that the owner can save it again. */
export function readableSecret(vault: OficialVault, linhaId: string, which: OficialSecret, sealed: string): string {
  return sealed === '' ? '' : (vault.tryOpen(sealed, secretSealContext(linhaId, which)) ?? '')
}

export function eventSealContext(linhaId: string, id: string): string {
  return `oficial_chegadas|valor|${linhaId}|${id}`
}

function secretSealContext(linhaId: string, qual: OficialSecret): string {
  return `oficial_contas|${qual}|${linhaId}|conta`
}
