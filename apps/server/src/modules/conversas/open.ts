import * as z from 'zod/mini'
import { firstActivity, joinDialogue, lineOf, storedLine } from '#db/statement/line.ts'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { inOrder, manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps, DialogueRef } from '#deps.ts'

/** Opens conversas from the panel. The caller locks the contato first, with `lockContato`. */

const openSchema = z.object({
  id: z.string(),
  status: z.enum(['bot', 'aguardando', 'em_atendimento']),
  operadorId: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  agenteMeta: z.boolean(),
  /** Of the dialogue, also with the bot. */
  lastActivity: z.nullable(z.date()),
})
export type OpenConversa = z.output<typeof openSchema>

const id = value('id', 'uuid')
const contatoId = value('contatoId', 'uuid')
const setor = value('setor', 'text')
const em = value('em', 'timestamptz')

const lockRow = oneRow(
  'conversas: lock contato',
  z.object({ id: z.string() }),
  sql`select id from contatos where conta_id = ${contaId} and id = ${contatoId} for no key update`,
)

/** Null: the first line. */
const linha = value('linha', 'uuid?')

const findOpen = oneRow(
  'conversas: find open of dialogue',
  openSchema,
  sql`select v.id, v.status, v.operador_id, v.operador, v.agente_meta, case when v.linha_id is null then ${firstActivity} else d.ultima_atividade end as last_activity
      from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id ${joinDialogue('v')}
      where v.conta_id = ${contaId} and v.contato_id = ${contatoId} and v.linha_id is not distinct from ${linha}
        and v.status <> 'finalizada'`,
)

/** Locks the contato, as every transaction that changes its conversas does. Null: no such contato. */
export async function lockContato(tx: Tx, dialogue: DialogueRef): Promise<{ open: OpenConversa | null } | null> {
  const { contaId, contatoId } = dialogue
  // Two statements: the second reads what earlier holders of the lock committed.
  const [contato, open] = await inOrder([
    lockRow(tx, { contaId, contatoId }),
    findOpen(tx, { contaId, contatoId, linha: storedLine(dialogue) }),
  ])
  return contato === null ? null : { open }
}

export const findLastLine = oneRow(
  'conversas: find last line of contato',
  z.object({ linhaId: z.string() }),
  sql`select ${lineOf('v')} as linha_id from conversas v where v.conta_id = ${contaId} and v.contato_id = ${contatoId}
      order by v.id desc limit 1`,
)

/** True for a contato without a phone or an address outside the chat on the site. People cannot write first to it. */
export const isVisitor = oneValue(
  'conversas: is visitor of the site',
  z.boolean(),
  sql`select exists (select from contatos c where c.conta_id = ${contaId} and c.id = ${contatoId} and c.telefone = ''
        and not exists (select from enderecos e where e.conta_id = c.conta_id and e.contato_id = c.id
          and not starts_with(e.endereco, 'web:'))) as value`,
)

/** `motivo`: `expirada`, or `reaberta` when a person opened an earlier conversa of the contato again. */
export const finishBotConversa = noRows(
  'conversas: finish conversa of bot',
  sql`update conversas set status = 'finalizada', finalizada_em = ${em}, motivo_fim = ${value('motivo', 'text')}
      where conta_id = ${contaId} and id = ${id} and status = 'bot'`,
)

/** Of a line that is deleted. Its customers write on another line or not at all. */
export const finishBotConversasOfLine = noRows(
  'conversas: finish conversas of bot on line',
  sql`update conversas set status = 'finalizada', finalizada_em = ${em}, motivo_fim = 'expirada'
      where conta_id = ${contaId} and status = 'bot' and coalesce(linha_id, conta_id) = ${value('linhaId', 'uuid')}`,
)

/** Makes the conversa `v` the current one of its dialogue. Returns a row for it. */
const setsCurrent = sql`d as (
  insert into dialogos as d (conta_id, contato_id, linha_id, endereco, conversa_id, ultima_atividade)
  select ${contaId}, ${contatoId}, ${linha}, coalesce(nullif(c.telefone, ''), c.endereco), v.id, ${em}
  from v join contatos c on c.conta_id = ${contaId} and c.id = ${contatoId} where ${linha} is not null
  on conflict (conta_id, contato_id, linha_id) do update set conversa_id = excluded.conversa_id
)
update contatos c set conversa_id = case when ${linha} is null then v.id else c.conversa_id end
from v where c.conta_id = ${contaId} and c.id = ${contatoId}`

/** Held until the transaction ends, which orders the act against a deactivation. */
const activeOperador = sql`u as materialized (
  select id, nome from usuarios
  where conta_id = ${contaId} and id = ${value('operadorId', 'uuid')} and status = 'ativo' and excluido_em is null for share
)`

/**
 * Returns 0 if the operador is inactive. The customer has not waited, so the first answer counts as given before the
 * start.
 */
export const openForOperador = noRows(
  'conversas: open for operador',
  sql`
with ${activeOperador}, v as (
  insert into conversas as v (conta_id, id, contato_id, linha_id, status, setor, protocolo, operador_id, operador, assumida_em,
    iniciada_em, aguardando_desde, primeira_resposta_em, ultima_atividade)
  select ${contaId}, ${id}, ${contatoId}, ${linha}, 'em_atendimento', ${setor}, ${value('protocolo', 'text')}, u.id, u.nome, ${em},
    ${em}, ${em}, ${em} - interval '1 second', ${em} from u
  on conflict (conta_id, id) do update set status = excluded.status, setor = excluded.setor,
    protocolo = excluded.protocolo, operador_id = excluded.operador_id, operador = excluded.operador,
    assumida_em = excluded.assumida_em, aguardando_desde = excluded.aguardando_desde,
    primeira_resposta_em = excluded.primeira_resposta_em, ultima_atividade = excluded.ultima_atividade
  returning v.id
), ${setsCurrent}`,
)

const findEnd = oneRow(
  'conversas: find end',
  z.object({ finalizadaEm: z.nullable(z.date()) }),
  sql`select finalizada_em from conversas where conta_id = ${contaId} and id = ${id}`,
)

export async function readEnd(tx: Tx, contaId: string, id: string): Promise<Date | null> {
  return (await findEnd(tx, { contaId, id }))?.finalizadaEm ?? null
}

/** Returns 0 if the conversa is not finished or the operador is inactive. */
export const reopenForOperador = noRows(
  'conversas: reopen for operador',
  sql`
with ${activeOperador}, v as (
  update conversas v set status = 'em_atendimento', setor = ${setor}, operador_id = u.id, operador = u.nome,
    assumida_em = ${em}, ultima_atividade = ${em}, finalizada_em = null, motivo_fim = null, nao_lidas = 0, agente_meta = false,
    sem_resposta_desde = null
  from u where v.conta_id = ${contaId} and v.id = ${id} and v.status = 'finalizada' returning v.id
), ${setsCurrent}`,
)

/** The COMMIT of these rows is not flushed: the one that uses a number comes later and flushes both. */
const takeLast = manyRows(
  'protocolos-proximos',
  z.object({ contaId: z.string(), dia: z.string(), ultimo: z.int() }),
  sql`
with f as materialized (select set_config('synchronous_commit', 'off', true))
insert into protocolos as p (conta_id, dia, ultimo)
select i.conta_id, i.day, count(*) from f cross join ${columns('i', { contaId: 'uuid', day: 'date' })}
group by i.conta_id, i.day order by i.conta_id, i.day
on conflict (conta_id, dia) do update set ultimo = p.ultimo + excluded.ultimo
returning p.conta_id, p.dia::text as dia, p.ultimo`,
  { prepared: true },
)

/**
 * Gives each request a number `AAAAMMDD-NNNN`, in order. Runs in a separate transaction: the counter is shared by the
 * whole conta and would stay locked until the caller's COMMIT. A rollback of the caller leaves a gap. On the caller's
 * pool, callers that hold all its connections would wait for each other.
 */
export async function takeProtocolos<T extends Parameters<typeof takeLast>[1]['i'][number]>(
  { reservedDb }: Pick<Deps, 'reservedDb'>,
  requests: readonly T[],
): Promise<(T & { readonly protocolo: string })[]> {
  const contas = [...new Set(requests.map(({ contaId }) => contaId))]
  const last = await reservedDb.transaction(contas, (tx) => takeLast(tx, { i: requests }), { oneTrip: true })
  const left = new Map(last.map(({ contaId, dia, ultimo }) => [`${contaId} ${dia}`, ultimo]))
  // The counter holds the last number of the group, so the numbers are given from the end.
  const numbered = requests.toReversed().map((request) => {
    const key = `${request.contaId} ${request.day}`
    const number = left.get(key) ?? 1
    left.set(key, number - 1)
    return { ...request, protocolo: `${request.day.replaceAll('-', '')}-${String(number).padStart(4, '0')}` }
  })
  return numbered.toReversed()
}
