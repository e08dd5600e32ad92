import * as z from 'zod/mini'
import { dialogue, joinDialogue } from '#db/statement/line.ts'
import { contaId, rawSql, type Sql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type EndedConversa, endedColumns, endedConversaSchema } from '#modules/leitores/index.ts'

/** WhatsApp and Meta deliver a message again for up to 30 days. */
const SEEN_MS = 30 * 24 * 3_600_000

export type SeenDeps = Pick<Deps, 'vault' | 'clock'>

const markContext = (contaId: string): string => `vistos|marca|${contaId}`

/** Marks of a message under every known secret, separated by spaces. They do not reveal its id. */
export function seenMarks({ vault }: Pick<Deps, 'vault'>, contaId: string, channel: string, id: string): string {
  return vault.fingerprints(`${channel}|${id}`, markContext(contaId)).join(' ')
}

/** Messages that a service may deliver again: of the customer, or of the owner on the phone. */
const isDelivered = sql`(id_externo is not null and (direcao = 'entrada' or origem = 'telefone'))`

const id = value('id', 'uuid')
const ids = value('ids', 'uuid[]')
const em = value('em', 'timestamptz')
const contatoId = value('contatoId', 'uuid')

const insertMarks = noRows(
  'conversas: insert seen marks',
  sql`insert into vistos (conta_id, marca, ate)
      select ${contaId}, m, ${value('ate', 'timestamptz')}
      from (select distinct unnest(${value('marcas', 'text[]')}) as m order by 1) as n
      on conflict (conta_id, marca) do update set ate = excluded.ate`,
)

interface DeliveredMensagem {
  readonly canal: string
  readonly idExterno: string | null
}

/** Every deletion of messages calls this, so that a message delivered again is neither stored nor answered. */
async function insertSeenMarks(
  tx: Tx,
  { vault, clock }: SeenDeps,
  contaId: string,
  deleted: readonly DeliveredMensagem[],
): Promise<void> {
  if (deleted.length === 0) return
  const marcas = deleted.map(({ canal, idExterno }) => vault.fingerprint(`${canal}|${idExterno}`, markContext(contaId)))
  await insertMarks(tx, { contaId, marcas, ate: new Date(clock.now().getTime() + SEEN_MS) })
}

/** Maximum rows per statement of retention. Keeps locks short and stays below the statement timeout. */
const batch = rawSql('limit 1000')

export const deleteOldSeenMarks = noRows(
  'conversas: delete old seen marks',
  sql`delete from vistos where conta_id = ${contaId} and marca = any (array(
        select marca from vistos where conta_id = ${contaId} and ate < ${em} order by ate ${batch}))`,
)

export interface ClearedConversa {
  readonly contatoId: string
  readonly telefone: string
  readonly nome: string
  /** The bot was serving it, so panels show it as active until an event. */
  readonly withBot: boolean
  readonly agendadas: number
}

export const countFinishedConversas = oneValue(
  'conversas: count finished',
  z.int(),
  sql`select count(*) as value from conversas where conta_id = ${contaId} and status in ('bot', 'finalizada')`,
)

export const countScheduledInFinished = oneValue(
  'conversas: count scheduled in finished',
  z.int(),
  sql`select count(*) as value from agendadas a join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
      where a.conta_id = ${contaId} and a.estado = 'marcada' and v.status in ('bot', 'finalizada')`,
)

const listCandidates = manyRows(
  'conversas: list finished',
  z.object({ contatoId: z.string() }),
  sql`select contato_id from conversas where conta_id = ${contaId} and status in ('bot', 'finalizada')
      limit ${value('max', 'int')}`,
)

const lockContatos = manyRows(
  'conversas: lock contatos of finished',
  z.object({ id: z.string(), nome: z.string(), telefone: z.string() }),
  sql`select id, nome, telefone from contatos where conta_id = ${contaId} and id = any (${ids}) order by id for update`,
)

const listFinishedOf = manyRows(
  'conversas: list finished of contatos',
  z.object({ id: z.string(), contatoId: z.string(), status: z.string(), agendadas: z.int() }),
  sql`select id, contato_id, status, (
        select count(*)::int from agendadas a
        where a.conta_id = v.conta_id and a.conversa_id = v.id and a.estado = 'marcada'
      ) as agendadas
      from conversas v where conta_id = ${contaId} and contato_id = any (${ids}) and status in ('bot', 'finalizada')`,
)

/**
 * Deletes finished and bot-only conversas of up to `max` candidates with their mensagens and resets their
 * contatos. Locks the contatos first, in id order, as customer messages do, which prevents deadlocks.
 */
export async function deleteFinishedConversas(
  tx: Tx,
  deps: SeenDeps,
  contaId: string,
  max: number,
): Promise<ClearedConversa[]> {
  const candidates = await listCandidates(tx, { contaId, max })
  if (candidates.length === 0) return []
  const ids = [...new Set(candidates.map(({ contatoId }) => contatoId))]
  const contatos = await lockContatos(tx, { contaId, ids })
  // Read again under the lock, because a conversa may have been handed to an operador meanwhile.
  const removed = await listFinishedOf(tx, { contaId, ids })
  const conversas = removed.map((conversa) => conversa.id)
  if (removed.length > 0) await deleteConversaRows(tx, deps, contaId, conversas)
  const byId = new Map(contatos.map((contato) => [contato.id, contato]))
  return removed.map(({ contatoId, status, agendadas }) => ({
    contatoId,
    telefone: byId.get(contatoId)?.telefone ?? '',
    nome: byId.get(contatoId)?.nome ?? '',
    withBot: status === 'bot',
    agendadas,
  }))
}

const listDelivered = manyRows(
  'conversas: list delivered mensagens',
  z.object({ canal: z.string(), idExterno: z.string() }),
  sql`select canal, id_externo from mensagens
      where conta_id = ${contaId} and conversa_id = any (${ids}) and ${isDelivered}`,
)

const deleteQuestionsOf = noRows(
  'conversas: delete questions of conversas',
  sql`delete from perguntas_ia p where p.conta_id = ${contaId} and exists (
        select from contatos c ${joinDialogue('p')}
        where c.conta_id = p.conta_id and c.id = p.contato_id and ${dialogue('p', 'conversa_id')} = any (${ids}))`,
)

const mensagensOf = sql`select id from mensagens where conta_id = ${contaId} and conversa_id = any (${ids})`

/** The `saida` row of a change has its own id; the mensagem is in its JSON. */
const deleteOutboxOf = noRows(
  'conversas: delete outbox of conversas',
  sql`delete from saida where conta_id = ${contaId}
        and (mensagem_id in (${mensagensOf}) or (conteudo #>> '{reacao,mensagemId}')::uuid in (${mensagensOf})
          or (conteudo #>> '{edicao,mensagemId}')::uuid in (${mensagensOf}))`,
)

/** Keeps the privacy notice and the opt-out of the contato, which do not belong to the conversa. */
const resetContatosOf = noRows(
  'conversas: reset contatos of conversas',
  sql`with d as (
        update dialogos set conversa_id = null, estado = null where conta_id = ${contaId} and conversa_id = any (${ids})
      )
      update contatos set conversa_id = null, estado = nullif(
        jsonb_strip_nulls(jsonb_build_object('avisadoEm', estado -> 'avisadoEm', 'paradoEm', estado -> 'paradoEm')), '{}')
      where conta_id = ${contaId} and conversa_id = any (${ids})`,
)

const deleteConversas = noRows(
  'conversas: delete',
  sql`delete from conversas where conta_id = ${contaId} and id = any (${ids})`,
)

async function deleteConversaRows(tx: Tx, deps: SeenDeps, contaId: string, ids: readonly string[]): Promise<void> {
  const which = { contaId, ids }
  await insertSeenMarks(tx, deps, contaId, await listDelivered(tx, which))
  await deleteQuestionsOf(tx, which)
  await deleteOutboxOf(tx, which)
  await resetContatosOf(tx, which)
  await deleteConversas(tx, which)
}

function deleteMensagens<Values>(name: string, which: Sql<Values>) {
  const remove = manyRows(
    name,
    z.object({ canal: z.string(), idExterno: z.nullable(z.string()), entregue: z.boolean() }),
    sql`delete from mensagens where conta_id = ${contaId} and id = any (array(${which}))
        returning canal, id_externo, ${isDelivered} as entregue`,
  )
  return async (tx: Tx, deps: SeenDeps, values: Parameters<typeof remove>[1] & { readonly contaId: string }) => {
    const rows = await remove(tx, values)
    const delivered = rows.filter(({ entregue }) => entregue)
    await insertSeenMarks(tx, deps, values.contaId, delivered)
    return rows.length
  }
}

/** Deletes one batch. Returns the number of rows. Ids contain their time, so the primary key finds old rows. */
export const deleteOldMensagens = deleteMensagens(
  'conversas: delete old mensagens',
  sql`select id from mensagens where conta_id = ${contaId} and id < ${id} order by id ${batch}`,
)

/** A waiting scheduled message keeps its conversa `v`: people and the customer rely on it. */
const isNotScheduled = sql`not exists (
  select 1 from agendadas a where a.conta_id = v.conta_id and a.conversa_id = v.id and a.estado = 'marcada')`

export const deleteOldConversas = noRows(
  'conversas: delete old',
  sql`delete from conversas where conta_id = ${contaId} and id = any (array(
        select v.id from conversas v
        where v.conta_id = ${contaId} and v.id < ${id} and v.status = 'finalizada' and v.finalizada_em < ${em}
          and not exists (select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id)
          and ${isNotScheduled}
        order by v.id ${batch}))`,
)

export const deleteOldContatos = noRows(
  'conversas: delete old contatos',
  sql`delete from contatos where conta_id = ${contaId} and id = any (array(
        select c.id from contatos c
        where c.conta_id = ${contaId} and c.id < ${id} and greatest(c.ultima_atividade, c.editado_em) < ${em}
          and not exists (
            select 1 from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
            where v.conta_id = c.conta_id and v.contato_id = c.id)
          and not exists (
            select 1 from conversas v where v.conta_id = c.conta_id and v.contato_id = c.id and not ${isNotScheduled})
        order by c.id ${batch}))`,
)

/** Mensagens of one contato deleted per transaction, so a new customer message waits for one step only. */
const CONTATO_BATCH = 2_000

const deleteMensagensOf = deleteMensagens(
  'conversas: delete mensagens of contato',
  sql`select m.id from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
      where v.conta_id = ${contaId} and v.contato_id = ${contatoId} and not exists (
        select 1 from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id)
      order by m.id limit ${rawSql(String(CONTATO_BATCH))}`,
)

/** Deletes one batch of the mensagens of a contato. Returns true when none is left except queued ones. */
export async function deleteContatoMensagens(
  tx: Tx,
  deps: SeenDeps,
  contaId: string,
  contatoId: string,
): Promise<boolean> {
  return (await deleteMensagensOf(tx, deps, { contaId, contatoId })) < CONTATO_BATCH
}

const listAttended = manyRows(
  'conversas: list attended of contato',
  endedConversaSchema,
  sql`select ${endedColumns} from conversas v
      where v.conta_id = ${contaId} and v.contato_id = ${contatoId} and v.protocolo is not null`,
)

const deleteRowsOf = ['saida', 'perguntas_ia', 'avaliacoes'].map((table) =>
  noRows(
    `conversas: delete ${table} of contato`,
    sql`delete from ${rawSql(table)} where conta_id = ${contaId} and contato_id = ${contatoId}`,
  ),
)

const deleteVisitorsOf = noRows(
  'conversas: delete chat visitors of contato',
  sql`delete from webchat_visitantes where conta_id = ${contaId} and endereco in (
        select endereco from enderecos where conta_id = ${contaId} and contato_id = ${contatoId})`,
)

const deleteContatoRow = noRows(
  'conversas: delete contato',
  sql`delete from contatos where conta_id = ${contaId} and id = ${contatoId}`,
)

/**
 * Deletes the contato after its mensagens; queued ones and other rows follow by cascade. Returns the conversas with
 * people, which panels must close.
 */
export async function deleteContato(tx: Tx, contaId: string, contatoId: string): Promise<EndedConversa[]> {
  const which = { contaId, contatoId }
  const attended = await listAttended(tx, which)
  for (const deleteRows of [...deleteRowsOf, deleteVisitorsOf]) await deleteRows(tx, which)
  await deleteContatoRow(tx, which)
  return attended
}
