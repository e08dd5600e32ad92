import * as z from 'zod/mini'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { linhaDaConversaSchema } from '@balcao/contract/entities/linha'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { instant } from '#db/statement/fields.ts'
import { rawSql, sql } from '#db/statement/sql.ts'
import type { SituationRow } from '#modules/leitores/index.ts'
import { type ConversaRow, etiquetasSql, linhaSql, SUMMARY_CHARS, toConversa } from './conversa-view.ts'

/** The columns of a changed row `v` that `toCard` needs beside those of its situacao. Without `card` no etiqueta is read. */
export const cardColumns = (card: string) => sql`v.contato_id, v.protocolo, v.iniciada_em, v.aguardando_desde, v.teste,
  case when ${rawSql(card)} then ${rawSql(etiquetasSql('v.conta_id', 'v.contato_id'))} end as etiquetas,
  case when ${rawSql(card)} then ${linhaSql('v')} end as linha`

export const cardFields = {
  contatoId: z.string(),
  protocolo: z.nullable(z.string()),
  iniciadaEm: instant,
  aguardandoDesde: z.nullable(instant),
  teste: z.boolean(),
  etiquetas: z.nullable(z.array(z.string())),
  linha: z.nullable(linhaDaConversaSchema),
}

type CardRow = SituationRow & z.output<z.ZodMiniObject<typeof cardFields>>

/**
 * An open conversa as `readListedConversas` reads it, from the row that a change returned and the newest mensagem. Null
 * if the row was not returned for a card.
 */
export function toCard(
  { status, etiquetas, linha, protocolo, ultimaAtividade, semRespostaDesde, ...row }: CardRow,
  customer: Pick<ConversaRow, 'nome' | 'telefone' | 'nomeUsuario' | 'pediuParada' | 'nomeInformado'>,
  mensagem: Mensagem,
): Conversa | null {
  if (status === 'bot' || etiquetas === null || linha === null || protocolo === null) return null
  const { texto, midia = null, timestamp } = mensagem
  const ended = { finalizadaEm: null, motivoFim: null, nota: null }
  // PostgreSQL counts code points.
  const ultimoTexto = texto.length > SUMMARY_CHARS ? [...texto].slice(0, SUMMARY_CHARS).join('') : texto
  const last = { ultimoTexto, ultimaMidia: midia, ultimaEm: timestamp }
  const times = {
    ultimaAtividade: ultimaAtividade.toISOString(),
    semRespostaDesde: semRespostaDesde?.toISOString() ?? null,
  }
  return toConversa({ ...row, ...times, ...ended, ...customer, ...last, status, etiquetas, linha, protocolo }, [
    mensagem,
  ])
}
