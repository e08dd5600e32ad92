import * as z from 'zod/mini'
import { situacaoSchema } from '@balcao/contract/entities/conversa'
import { dialogue, joinDialogue } from '#db/statement/line.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import { situationSql } from '#modules/leitores/index.ts'
import { RESTORED, restorableSql } from './operador-acts.ts'

const conversaId = value('conversaId', 'uuid')
const usuarioId = value('usuarioId', 'uuid')

const actSchema = z.object({
  usuarioId: z.nullable(z.string()),
  ato: z.enum(['assumir', 'transferir', 'soltar', 'finalizar', 'encerrar', 'outro']),
  em: z.date(),
  setor: z.nullable(z.string()),
  ofAgent: z.boolean(),
  intact: z.boolean(),
})

/**
 * The last act on a conversa, with the setor before it. `intact`: since then no other act changed the conversa, and no
 * customer or person wrote. Messages of the bot do not count. The contato must be locked.
 */
export const findLastAct = oneRow(
  'conversas: find last act',
  actSchema,
  sql`
select a.usuario_id, a.ato, a.em, a.antes ->> 'setor' as setor, (a.antes ->> 'agente_meta')::bool as of_agent,
  a.depois = ${restorableSql('v')} and ${dialogue('v', 'conversa_id')} = v.id and not exists (
    select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id
      and (a.ultima_mensagem is null or m.id > a.ultima_mensagem) and m.origem not in ('bot', 'ia')) as intact
from atos_desfaziveis a
join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id ${joinDialogue('v')}
where a.conta_id = ${contaId} and a.conversa_id = ${conversaId}`,
)

const columnTypes = Object.entries(RESTORED).map(([column, type]) => `${column} ${type}`)
const assignments = Object.keys(RESTORED).map((column) => `${column} = x.${column}`)

/**
 * Restores the columns from before the last act and deletes the act. Null if another person acted, or if the operador to
 * restore is inactive. `passouEm` and `responderAte` are those before a release. The shared lock on `usuarios` orders this against a deactivation.
 */
export const restoreBeforeAct = oneRow(
  'conversas: restore before act',
  z.object({
    situacao: situacaoSchema,
    aguardandoDesde: z.nullable(z.date()),
    passouEm: z.nullable(z.date()),
    responderAte: z.nullable(z.date()),
  }),
  sql`
with a as (
  delete from atos_desfaziveis where conta_id = ${contaId} and conversa_id = ${conversaId} and usuario_id = ${usuarioId}
  returning antes
), v as (
  update conversas v set ${rawSql(assignments.join(', '))},
    ultima_atividade = case v.status when 'finalizada' then x.ultima_atividade else v.ultima_atividade end
  from a cross join lateral jsonb_to_record(a.antes) as x (${rawSql(columnTypes.join(', '))}, ultima_atividade timestamptz)
  where v.conta_id = ${contaId} and v.id = ${conversaId} and (x.operador_id is null or exists (
    select 1 from usuarios u
    where u.conta_id = ${contaId} and u.id = x.operador_id and u.status = 'ativo' and u.excluido_em is null for share))
  returning v.*
) select ${situationSql('v')} as situacao, v.aguardando_desde, (a.antes ->> 'passou_em')::timestamptz as passou_em,
  (a.antes ->> 'responder_ate')::timestamptz as responder_ate from v cross join a`,
)

const OLD_BATCH = 5_000

/** Deletes one batch of acts that are too old to undo. Returns the number of rows. */
export const deleteOldActs = noRows(
  'conversas: delete old acts',
  sql`delete from atos_desfaziveis where (conta_id, conversa_id) in (
        select conta_id, conversa_id from atos_desfaziveis where conta_id = ${contaId} and em < ${value('em', 'timestamptz')}
        order by em limit ${rawSql(String(OLD_BATCH))})`,
)
