import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { type Situacao, situacaoSchema } from '@balcao/contract/entities/conversa'
import { contaId, rawSql, type Sql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { changedConversaSchema, situationSql } from '#modules/leitores/index.ts'

/** `update` changes one row of `conversas v`. Null if it changes none. */
function changeOne<Values>(name: string, update: Sql<Values>) {
  const change = oneRow(
    name,
    z.object({ situacao: situacaoSchema }),
    sql`${update} returning ${situationSql('v')} as situacao`,
    { prepared: true },
  )
  return async (tx: Tx, values: Values): Promise<Situacao | null> => (await change(tx, values))?.situacao ?? null
}

const theConversa = sql`v.conta_id = ${contaId} and v.id = ${value('id', 'uuid')}`
const isOpen = sql`v.status in ('aguardando', 'em_atendimento')`
const operadorId = value('operadorId', 'uuid')
const em = value('em', 'timestamptz')
/** Null for the owner, who may also change conversas of others. */
const from = value('from', 'uuid?')

/**
 * The shared lock on `usuarios` orders this against a deactivation. Taking an own conversa again keeps the first time.
 * A conversa of Meta's agent has waited for no person, so its wait begins now.
 */
export const updateTaken = changeOne(
  'conversa-assumir',
  sql`
update conversas v set status = 'em_atendimento', operador_id = ${operadorId}, operador = ${value('operador', 'text')},
  nao_lidas = 0, agente_meta = false, aguardando_desde = coalesce(v.aguardando_desde, ${em}),
  assumida_em = case when v.operador_id = ${operadorId} then coalesce(v.assumida_em, ${em}) else ${em} end
where ${theConversa}
  and (v.status = 'aguardando' or (v.status = 'em_atendimento'
    and (v.operador_id = ${operadorId} or (v.operador_id is null and v.agente_meta))))
  and exists (
    select 1 from usuarios u
    where u.conta_id = ${contaId} and u.id = ${operadorId} and u.status = 'ativo' and u.excluido_em is null for share)`,
)

/** Keeps the original waiting time. */
export const updateTransferred = changeOne(
  'conversa-transferir',
  sql`
update conversas v set status = 'aguardando', setor = ${value('setor', 'text')}, operador_id = null, operador = null,
  assumida_em = null, agente_meta = false, aguardando_desde = coalesce(v.aguardando_desde, now())
where ${theConversa} and ${isOpen}`,
)

const newSetor = sql`coalesce(${value('setor', 'text?')}, v.setor, '${rawSql(SETOR_GERAL)}')`

/**
 * Null if the operador is inactive, does not serve the setor or has the conversa already, or if another operador than
 * `from` serves it.
 */
export const updateTransferredTo = changeOne(
  'conversa-transferir-para',
  sql`
with alvo as materialized (
  select u.id, u.nome, u.setores from usuarios u
  where u.conta_id = ${contaId} and u.id = ${operadorId} and u.status = 'ativo' and u.excluido_em is null for share
)
update conversas v set status = 'em_atendimento', setor = coalesce(${value('setor', 'text?')}, v.setor),
  operador_id = alvo.id, operador = alvo.nome, assumida_em = ${em}, agente_meta = false,
  aguardando_desde = coalesce(v.aguardando_desde, ${em})
from alvo where ${theConversa}
  and (v.status = 'aguardando' or (v.status = 'em_atendimento' and v.operador_id is distinct from ${operadorId}
    and (${from} is null or v.operador_id is null or v.operador_id = ${from})))
  and (alvo.setores = '[]' or alvo.setores ? ${newSetor} or ${newSetor} = '${rawSql(SETOR_GERAL)}')`,
)

const personWrote = sql`exists (
  select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id and m.criada_em >= v.assumida_em
    and ((m.origem = 'operador' and m.operador_id = v.operador_id)
      or (m.origem = 'telefone' and m.extras ->> 'agenteMeta' is null)))`

/** The person wrote since they took it, in the panel or on the phone. */
const startsToWait = sql`v.status = 'em_atendimento' and ${personWrote}`

/**
 * After a message of the person it waits since now for a first answer, otherwise its wait goes on. Null if it is not of
 * `from`.
 */
export const updateReleased = oneRow(
  'conversa-soltar',
  z.object({ situacao: situacaoSchema, waitsSinceNow: z.boolean() }),
  sql`
update conversas v set status = 'aguardando', operador_id = null, operador = null, assumida_em = null,
  agente_meta = false, aguardando_desde = case when ${startsToWait} then ${em} else coalesce(v.aguardando_desde, ${em}) end,
  primeira_resposta_em = case when ${startsToWait} then null else v.primeira_resposta_em end
where ${theConversa} and ${isOpen} and (${from} is null or v.operador_id = ${from})
returning ${situationSql('v')} as situacao, v.aguardando_desde = ${em} as waits_since_now`,
  { prepared: true },
)

export const updateFinished = changeOne(
  'conversa-finalizar',
  sql`
update conversas v set status = 'finalizada', finalizada_em = ${em}, ultima_atividade = ${em},
  motivo_fim = ${value('motivo', 'text')}, agente_meta = false
where ${theConversa} and ${isOpen}`,
)

export const updateAssigned = changeOne(
  'conversa-atribuir',
  sql`
update conversas v set status = 'em_atendimento', operador_id = ${operadorId}, operador = ${value('operador', 'text')},
  assumida_em = ${em}, aguardando_desde = coalesce(v.aguardando_desde, ${em})
where ${theConversa} and v.status = 'aguardando'`,
)

/** Those in which no person wrote since. The contatos must be locked. */
export const releaseUnanswered = manyRows(
  'conversas: release unanswered',
  changedConversaSchema,
  sql`
update conversas v set status = 'aguardando', operador_id = null, operador = null, assumida_em = null
where v.conta_id = ${contaId} and v.operador_id = ${operadorId} and v.status = 'em_atendimento'
  and v.id = any (${value('conversaIds', 'uuid[]')}) and v.protocolo is not null and not ${personWrote}
returning v.id, ${situationSql('v')} as situacao`,
)
