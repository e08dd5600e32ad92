import * as z from 'zod/mini'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'

const now = value('now', 'timestamptz')
const until = value('until', 'timestamptz')
/** An attempt whose lease expired has a smaller number than its row, and changes nothing. */
const attempt = sql`conta_id = ${contaId} and mensagem_id = ${value('mensagemId', 'uuid')}
  and tentativas = ${value('tentativas', 'int')}`

export const insertTranscricoes = noRows(
  'transcricoes: insert',
  sql`insert into transcricoes (conta_id, mensagem_id, proxima_em, criada_em)
      select conta_id, mensagem_id, em, em
      from ${columns('i', { contaId: 'uuid', mensagemId: 'uuid', em: 'timestamptz' })}`,
)

/** Due voice notes, oldest first. Until `until` no other node begins them. */
export const claimTranscricoes = manyRows(
  'transcricoes: claim',
  z.object({ mensagemId: z.string(), tentativas: z.int(), midia: z.nullable(midiaSchema) }),
  sql`with d as (
      select mensagem_id from transcricoes where conta_id = ${contaId} and proxima_em <= ${now}
      order by mensagem_id limit ${value('max', 'int')} for update skip locked
    ), u as (
      update transcricoes t set tentativas = t.tentativas + 1, proxima_em = ${until} from d
      where t.conta_id = ${contaId} and t.mensagem_id = d.mensagem_id returning t.mensagem_id, t.tentativas
    )
    select u.mensagem_id, u.tentativas, m.midia
    from u join mensagens m on m.conta_id = ${contaId} and m.id = u.mensagem_id order by u.mensagem_id`,
)

export const endTranscricao = oneRow(
  'transcricoes: end',
  z.object({ mensagemId: z.string() }),
  sql`delete from transcricoes where ${attempt} returning mensagem_id`,
)

/** `counted` false: the attempt was stopped before its end. */
export const postponeTranscricao = noRows(
  'transcricoes: postpone',
  sql`update transcricoes set proxima_em = ${until}, tentativas = tentativas - (not ${value('counted', 'bool')})::int
      where ${attempt}`,
)
