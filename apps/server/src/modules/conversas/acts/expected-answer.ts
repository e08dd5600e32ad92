import { contaId, sql, value } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'

const contatoId = value('contatoId', 'uuid')

/** Stores whether an answer of this contato may cancel a scheduled message. The contato must be locked. */
export const updateExpectsAnswer = noRows(
  'conversas: update expected answer',
  sql`
update contatos c set tem_agendada = n.tem from (
  select exists (
    select 1 from agendadas a join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
    where a.conta_id = ${contaId} and v.contato_id = ${contatoId} and a.estado = 'marcada' and a.cancelar_se_responder) as tem
) n where c.conta_id = ${contaId} and c.id = ${contatoId} and c.tem_agendada <> n.tem`,
)
