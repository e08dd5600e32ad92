import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import { changedConversaSchema, situationSql } from '#modules/conversas/readers.ts'
import { changeOne, theConversa } from './operador-acts.ts'

const operadorId = value('operadorId', 'uuid')
const em = value('em', 'timestamptz')

/** Gives a waiting conversa to a person, who has not read it. Null if it does not wait. */
export const updateAssigned = changeOne(
  'conversa-atribuir',
  sql`
update conversas v set status = 'em_atendimento', operador_id = ${operadorId}, operador = ${value('operador', 'text')},
  assumida_em = ${em}, aguardando_desde = coalesce(v.aguardando_desde, ${em})
where ${theConversa} and v.status = 'aguardando'`,
)

/**
 * Returns those of these conversas to the queue that the operador serves and in which no person wrote since. The
 * contatos must be locked.
 */
export const releaseUnanswered = manyRows(
  'conversas: release unanswered',
  changedConversaSchema,
  sql`
update conversas v set status = 'aguardando', operador_id = null, operador = null, assumida_em = null
where v.conta_id = ${contaId} and v.operador_id = ${operadorId} and v.status = 'em_atendimento'
  and v.id = any (${value('conversaIds', 'uuid[]')}) and v.protocolo is not null and not exists (
    select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id and m.criada_em >= v.assumida_em
      and ((m.origem = 'operador' and m.operador_id = ${operadorId})
        or (m.origem = 'telefone' and m.extras ->> 'agenteMeta' is null)))
returning v.id, ${situationSql('v')} as situacao`,
)
