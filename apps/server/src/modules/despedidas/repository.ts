import * as z from 'zod/mini'
import { dialogue, joinDialogue, lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'

const conversaId = value('conversaId', 'uuid')
const now = value('now', 'timestamptz')

/** A conversa that was reopened and finished again has one farewell, the last one. */
export const scheduleFarewell = noRows(
  'despedidas: schedule',
  sql`insert into despedidas (conta_id, conversa_id, sair_em, sem_avaliacao)
      values (${contaId}, ${conversaId}, ${value('leavesAt', 'timestamptz')}, ${value('semAvaliacao', 'bool')})
      on conflict (conta_id, conversa_id) do update
      set sair_em = excluded.sair_em, sem_avaliacao = excluded.sem_avaliacao`,
)

/** Returns 0 if the farewell left already. The contato must be locked. */
export const cancelFarewell = noRows(
  'despedidas: cancel',
  sql`delete from despedidas where conta_id = ${contaId} and conversa_id = ${conversaId}`,
)

/** Read without locks: the contatos must be locked before `takeDueFarewells`. */
export const listDueFarewells = manyRows(
  'despedidas: list due',
  z.object({ conversaId: z.string() }),
  sql`select conversa_id from despedidas where conta_id = ${contaId} and sair_em <= ${now} order by sair_em limit 50`,
)

/**
 * Deletes due farewells. `ended`: the customer did nothing since the end but thank the shop. The state of the bot is
 * still the one of a finished conversa, and no other conversa began.
 */
export const takeDueFarewells = manyRows(
  'despedidas: take due',
  z.object({ contatoId: z.string(), linhaId: z.string(), semAvaliacao: z.boolean(), ended: z.boolean() }),
  sql`
with f as (
  delete from despedidas where conta_id = ${contaId} and sair_em <= ${now}
    and conversa_id = any (${value('conversaIds', 'uuid[]')}) returning conversa_id, sem_avaliacao
)
select v.contato_id, ${lineOf('v')} as linha_id, f.sem_avaliacao,
  v.status = 'finalizada' and ${dialogue('v', 'conversa_id')} = v.id
  and coalesce(${dialogue('v', 'estado')} ->> 'etapa' = 'encerrada', false) as ended
from f join conversas v on v.conta_id = ${contaId} and v.id = f.conversa_id
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id ${joinDialogue('v')} order by v.contato_id`,
)

/** Deletes the due farewells of all contas: after the import of a backup they may be days late. */
export const deleteDueFarewells = noRows('despedidas: delete due', sql`delete from despedidas where sair_em <= ${now}`)
