import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

/** A contato as log lines mention it. */
export interface Mention {
  /** Lines also mention a contato by the id of one of its conversas or mensagens. */
  readonly contatoId: string
  /** POSIX regular expressions. */
  readonly patterns: readonly string[]
  /** Literal texts, such as an address or a full name. */
  readonly parts: readonly string[]
}

const MENTIONS_SQL = `
l.conta_id = $1 and (
  (l.mensagem || ' ' || coalesce(l.detalhes::text, '')) ~ any ($3::text[])
  or exists (
    select 1 from unnest($4::text[]) as p (parte) where strpos(l.mensagem || ' ' || coalesce(l.detalhes::text, ''), p.parte) > 0
  ) or exists (
    select 1 from regexp_matches(
      l.mensagem || ' ' || coalesce(l.detalhes::text, ''), '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') as u (achado)
    where u.achado[1]::uuid = $2
      or exists (select 1 from conversas v where v.conta_id = $1 and v.id = u.achado[1]::uuid and v.contato_id = $2)
      or exists (
        select 1 from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
        where m.conta_id = $1 and m.id = u.achado[1]::uuid and v.contato_id = $2)
  ))`

const registroSchema = z.object({
  tipo: z.string(),
  mensagem: z.string(),
  detalhes: z.unknown(),
  timestamp: z.date(),
})

export async function listMentions(
  tx: Tx,
  contaId: string,
  { contatoId, patterns, parts }: Mention,
): Promise<z.output<typeof registroSchema>[]> {
  return tx.rows(
    registroSchema,
    `select l.tipo, l.mensagem, l.detalhes, l.timestamp from logs l where ${MENTIONS_SQL} order by l.id`,
    [contaId, contatoId, patterns, parts],
  )
}

export async function deleteMentions(tx: Tx, contaId: string, { contatoId, patterns, parts }: Mention): Promise<void> {
  await tx.query(`delete from logs l where ${MENTIONS_SQL}`, [contaId, contatoId, patterns, parts])
}
