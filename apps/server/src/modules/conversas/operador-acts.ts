import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { type Situacao, situacaoSchema, statusConversaSchema } from '@balcao/contract/entities/conversa'
import { lineOf } from '#db/statement/line.ts'
import { contaId, rawSql, type Sql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { changedConversaSchema, type PlacedConversa, situationSql } from '#modules/leitores/index.ts'

/** The columns that an undo restores. Messages of the bot change none of them. */
export const RESTORED = {
  status: 'text',
  setor: 'text',
  operador_id: 'uuid',
  operador: 'text',
  assumida_em: 'timestamptz',
  aguardando_desde: 'timestamptz',
  primeira_resposta_em: 'timestamptz',
  sem_resposta_desde: 'timestamptz',
  nao_lidas: 'int',
  agente_meta: 'bool',
  finalizada_em: 'timestamptz',
  motivo_fim: 'text',
} as const

/** A row of conversas as JSON, with the columns that an undo restores. */
export function restorableSql(row: string): Sql<unknown> {
  const fields = Object.keys(RESTORED).map((column) => `'${column}', ${row}.${column}`)
  return rawSql(`jsonb_build_object(${fields.join(', ')})`)
}

const theConversa = sql`v.conta_id = ${contaId} and v.id = ${value('id', 'uuid')}`
const isOpen = sql`v.status in ('aguardando', 'em_atendimento')`
const operadorId = value('operadorId', 'uuid')
const em = value('em', 'timestamptz')
/** Null for the owner, who may also change conversas of others. */
const from = value('from', 'uuid?')
/** The person who acts. Null: the server. */
const por = value('por', 'uuid?')

interface RecordedChange<Values, More> {
  readonly update: Sql<Values>
  /** Further parts of the WITH list, each with a comma at its end. */
  readonly parts?: Sql<Values>
  /** More of what was before the act, a JSON object. */
  readonly more?: Sql<More>
  readonly ato: Sql<More>
}

/**
 * `update` changes one row of `conversas v`, and the same statement records the act with the row before and after it.
 * The contato is locked, so the row does not change between both.
 */
const recorded = <Values, More>({
  update,
  parts = rawSql(''),
  more = rawSql(`'{}'::jsonb`),
  ato,
}: RecordedChange<Values, More>) => sql`
with ${parts} antes as materialized (select v.*, c.ultimo_id from conversas v
  join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id where ${theConversa}
), v as (${update} returning v.*
), a as (
  insert into atos_desfaziveis (conta_id, conversa_id, usuario_id, ato, em, ultima_mensagem, antes, depois)
  select v.conta_id, v.id, ${por}, ${ato}, ${em}, antes.ultimo_id,
    ${restorableSql('antes')} || jsonb_build_object('ultima_atividade', antes.ultima_atividade) || ${more}, ${restorableSql('v')}
  from v join antes on antes.id = v.id
  on conflict (conta_id, conversa_id) do update set usuario_id = excluded.usuario_id, ato = excluded.ato,
    em = excluded.em, ultima_mensagem = excluded.ultima_mensagem, antes = excluded.antes, depois = excluded.depois
)`

const changedSchema = z.object({
  situacao: situacaoSchema,
  setorAntes: z.nullable(z.string()),
  statusAntes: statusConversaSchema,
  operadorAntes: z.nullable(z.string()),
  linhaId: z.string(),
})
const changedColumns = sql`${situationSql('v')} as situacao, antes.setor as setor_antes, antes.status as status_antes,
  antes.operador_id as operador_antes, ${lineOf('antes')} as linha_id`

/** A conversa after an act, and who could read it before. */
export interface ActedConversa {
  readonly situacao: Situacao
  readonly before: PlacedConversa
}

function toActed({
  situacao,
  linhaId,
  setorAntes,
  statusAntes,
  operadorAntes,
}: z.output<typeof changedSchema>): ActedConversa {
  return { situacao, before: { linhaId, setor: setorAntes, status: statusAntes, operadorId: operadorAntes } }
}

/** Null if the act changes no row. */
function changeOne<Values, More>(name: string, change: RecordedChange<Values, More>) {
  const run = oneRow(name, changedSchema, sql`${recorded(change)} select ${changedColumns} from v cross join antes`, {
    prepared: true,
  })
  return async (tx: Tx, values: Parameters<typeof run>[1]): Promise<ActedConversa | null> => {
    const changed = await run(tx, values)
    return changed === null ? null : toActed(changed)
  }
}

/**
 * The shared lock on `usuarios` orders this against a deactivation. Taking an own conversa again keeps the first time.
 * A conversa of Meta's agent has waited for no person, so its wait begins now.
 */
export const updateTaken = changeOne('conversa-assumir', {
  ato: sql`'assumir'`,
  update: sql`
update conversas v set status = 'em_atendimento', operador_id = ${operadorId}, operador = ${value('operador', 'text')},
  nao_lidas = 0, agente_meta = false, aguardando_desde = coalesce(v.aguardando_desde, ${em}),
  assumida_em = case when v.operador_id = ${operadorId} then coalesce(v.assumida_em, ${em}) else ${em} end
where ${theConversa}
  and (v.status = 'aguardando' or (v.status = 'em_atendimento'
    and (v.operador_id = ${operadorId} or (v.operador_id is null and v.agente_meta))))
  and exists (
    select 1 from usuarios u
    where u.conta_id = ${contaId} and u.id = ${operadorId} and u.status = 'ativo' and u.excluido_em is null for share)`,
})

/** Keeps the original waiting time. */
export const updateTransferred = changeOne('conversa-transferir', {
  ato: sql`'transferir'`,
  update: sql`
update conversas v set status = 'aguardando', setor = ${value('setor', 'text')}, operador_id = null, operador = null,
  assumida_em = null, agente_meta = false, aguardando_desde = coalesce(v.aguardando_desde, ${em})
where ${theConversa} and ${isOpen}`,
})

const newSetor = sql`coalesce(${value('setor', 'text?')}, v.setor, '${rawSql(SETOR_GERAL)}')`

/**
 * Null if the operador is inactive, does not serve the setor or the line, or has the conversa already, or if another operador than
 * `from` serves it.
 */
export const updateTransferredTo = changeOne('conversa-transferir-para', {
  ato: sql`'transferir'`,
  parts: sql`alvo as materialized (
  select u.id, u.nome, u.setores, u.linhas from usuarios u
  where u.conta_id = ${contaId} and u.id = ${operadorId} and u.status = 'ativo' and u.excluido_em is null for share
),`,
  update: sql`
update conversas v set status = 'em_atendimento', setor = coalesce(${value('setor', 'text?')}, v.setor),
  operador_id = alvo.id, operador = alvo.nome, assumida_em = ${em}, agente_meta = false,
  aguardando_desde = coalesce(v.aguardando_desde, ${em})
from alvo where ${theConversa}
  and (v.status = 'aguardando' or (v.status = 'em_atendimento' and v.operador_id is distinct from ${operadorId}
    and (${from} is null or v.operador_id is null or v.operador_id = ${from})))
  and (alvo.setores = '[]' or alvo.setores ? ${newSetor} or ${newSetor} = '${rawSql(SETOR_GERAL)}')
  and (alvo.linhas = '[]' or alvo.linhas ? ${lineOf('v')}::text)`,
})

const personWrote = sql`exists (
  select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id and m.criada_em >= v.assumida_em
    and ((m.origem = 'operador' and m.operador_id = v.operador_id)
      or (m.origem = 'telefone' and m.extras ->> 'agenteMeta' is null)))`

/** The person wrote since they took it, in the panel or on the phone. */
const startsToWait = sql`v.status = 'em_atendimento' and ${personWrote}`

/** `passou_em`: an earlier pass of the person who acts. `responder_ate`: the reply timer of the person who served. */
const passAndTimer = sql`jsonb_build_object(
  'passou_em', (select g.em from passagens g
    where g.conta_id = v.conta_id and g.conversa_id = v.id and g.operador_id = ${por}),
  'responder_ate', (select p.vence_em from prazos p
    where p.conta_id = v.conta_id and p.conversa_id = v.id and p.tipo = 'resposta' and p.operador_id = antes.operador_id))`

const releaseRow = oneRow(
  'conversa-soltar',
  z.extend(changedSchema, { waitsSinceNow: z.boolean() }),
  sql`${recorded({
    ato: sql`'soltar'`,
    more: passAndTimer,
    update: sql`
update conversas v set status = 'aguardando', operador_id = null, operador = null, assumida_em = null,
  agente_meta = false, aguardando_desde = case when ${startsToWait} then ${em} else coalesce(v.aguardando_desde, ${em}) end,
  primeira_resposta_em = case when ${startsToWait} then null else v.primeira_resposta_em end
where ${theConversa} and ${isOpen} and (${from} is null or v.operador_id = ${from})`,
  })} select ${changedColumns}, v.aguardando_desde = ${em} as waits_since_now from v cross join antes`,
  { prepared: true },
)

/**
 * After a message of the person it waits since now for a first answer, otherwise its wait goes on. Null if it is not of
 * `from`.
 */
export async function updateReleased(tx: Tx, values: Parameters<typeof releaseRow>[1]) {
  const row = await releaseRow(tx, values)
  return row === null ? null : { ...toActed(row), waitsSinceNow: row.waitsSinceNow }
}

/** `ato`: `finalizar` with a farewell that leaves later, `encerrar` without any, `outro` for an end that stays. */
export const updateFinished = changeOne('conversa-finalizar', {
  ato: sql`${value('ato', 'text')}`,
  update: sql`
update conversas v set status = 'finalizada', finalizada_em = ${em}, ultima_atividade = ${em},
  motivo_fim = ${value('motivo', 'text')}, agente_meta = false
where ${theConversa} and ${isOpen}`,
})

export const updateAssigned = changeOne('conversa-atribuir', {
  ato: sql`'outro'`,
  update: sql`
update conversas v set status = 'em_atendimento', operador_id = ${operadorId}, operador = ${value('operador', 'text')},
  assumida_em = ${em}, aguardando_desde = coalesce(v.aguardando_desde, ${em})
where ${theConversa} and v.status = 'aguardando'`,
})

/** Those in which no person wrote since. The contatos must be locked. */
export const releaseUnanswered = manyRows(
  'conversas: release unanswered',
  changedConversaSchema,
  sql`
update conversas v set status = 'aguardando', operador_id = null, operador = null, assumida_em = null
where v.conta_id = ${contaId} and v.operador_id = ${operadorId} and v.status = 'em_atendimento'
  and v.id = any (${value('conversaIds', 'uuid[]')}) and v.protocolo is not null and not ${personWrote}
returning v.id, ${lineOf('v')} as linha_id, ${situationSql('v')} as situacao`,
)
