import * as z from 'zod/mini'
import type { MessageChange } from '@balcao/connector/port'
import { canonicalAddress } from './address.ts'
import type { MensagemMarks } from './marks-view.ts'
import { cleanServiceText, TEXT_MAX } from '#lib/text.ts'
import type { Deps } from '#deps.ts'

const UUID = z.uuid()
/** In UTF-16 units. The longest emoji, a family of four with its joiners, has 11. */
const EMOJI_MAX = 32

/**
 * A null value deletes the mark. The message must belong to a conversa of this contato. `$5` limits edits and
 * deletions to the side that wrote the message, so a customer cannot change ours.
 */
const MARK_SQL = `
update mensagens m set extras = nullif(jsonb_strip_nulls(coalesce(m.extras, '{}') || $3::jsonb), '{}')
from conversas v
where m.conta_id = $1 and v.conta_id = m.conta_id and v.id = m.conversa_id
  and v.contato_id in (select e.contato_id from enderecos e where e.conta_id = $1 and e.endereco = any ($2::text[]))
  and ($5::text is null or m.direcao = $5)`

const MARK_OURS_SQL = `${MARK_SQL} and m.id = $4::uuid returning m.id`
const MARK_BY_SERVICE_ID_SQL = `${MARK_SQL} and m.canal = $6 and m.id_externo = $4 returning m.id`

export interface ContaChange {
  readonly contaId: string
  readonly channel: string
  readonly change: MessageChange
}

/**
 * Marks a message as edited, deleted or reacted to and keeps its text. Returns its id, or null when no message
 * matches.
 */
export async function applyChange(
  { db }: Pick<Deps, 'db'>,
  { contaId, channel, change }: ContaChange,
): Promise<string | null> {
  const { endereco, outrosEnderecos = [], telefone, alvo, deMim, mudanca } = change
  const addresses = [...new Set([canonicalAddress(telefone, endereco), endereco, ...outrosEnderecos])]
  const ours = UUID.safeParse(alvo).success
  const lado = mudanca.tipo === 'reacao' ? null : deMim ? 'saida' : 'entrada'
  const values = [contaId, addresses, JSON.stringify(marksOf(change)), cleanServiceText(alvo, 300), lado]
  const { rows } = await db.transaction(contaId, (tx) =>
    tx.query<{ id: string }>(ours ? MARK_OURS_SQL : MARK_BY_SERVICE_ID_SQL, ours ? values : [...values, channel]),
  )
  return rows[0]?.id ?? null
}

function marksOf({ mudanca, deMim }: MessageChange): { [K in keyof MensagemMarks]: MensagemMarks[K] | null } {
  switch (mudanca.tipo) {
    case 'edicao':
      return { edicao: cleanServiceText(mudanca.texto, TEXT_MAX) }
    case 'apagada':
      return { apagada: true }
    case 'reacao': {
      const emoji = mudanca.emoji === '' ? null : cleanServiceText(mudanca.emoji, EMOJI_MAX)
      return deMim ? { reacaoLoja: emoji } : { reacaoCliente: emoji }
    }
    default:
      return mudanca satisfies never
  }
}
