import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'

export interface Mention {
  /** Lines also mention a contato by the id of one of its conversas or mensagens. */
  readonly contatoId: string
  /** POSIX regular expressions. */
  readonly patterns: readonly string[]
  /** Literal texts, such as an address or a full name. */
  readonly parts: readonly string[]
}

const contatoId = value('contatoId', 'uuid')

/** Condition on a line `l`. */
const isMention = sql`
l.conta_id = ${contaId} and (
  (l.mensagem || ' ' || coalesce(l.detalhes::text, '')) ~ any (${value('patterns', 'text[]')})
  or exists (
    select 1 from unnest(${value('parts', 'text[]')}) as p (parte) where strpos(l.mensagem || ' ' || coalesce(l.detalhes::text, ''), p.parte) > 0
  ) or exists (
    select 1 from regexp_matches(
      l.mensagem || ' ' || coalesce(l.detalhes::text, ''), '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') as u (achado)
    where u.achado[1]::uuid = ${contatoId}
      or exists (select 1 from conversas v where v.conta_id = ${contaId} and v.id = u.achado[1]::uuid and v.contato_id = ${contatoId})
      or exists (
        select 1 from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
        where m.conta_id = ${contaId} and m.id = u.achado[1]::uuid and v.contato_id = ${contatoId})
  ))`

export const listMentions = manyRows(
  'logs: list mentions',
  z.object({ tipo: z.string(), mensagem: z.string(), detalhes: z.unknown(), timestamp: z.date() }),
  sql`select l.tipo, l.mensagem, l.detalhes, l.timestamp from logs l where ${isMention} order by l.id`,
)

export const deleteMentions = noRows('logs: delete mentions', sql`delete from logs l where ${isMention}`)
