import * as z from 'zod/mini'
import type { Alteracao } from '#ports/messaging.ts'
import { enderecoCanonico } from './endereco.ts'
import type { Extras } from './extras.ts'
import { texto, TEXTO_MAXIMO } from './limpar.ts'
import type { BotDeps } from './runtime-deps.ts'

const UUID = z.uuid()
/** In UTF-16 units. The longest emoji, a family of four with its joiners, has 11. */
const EMOJI_MAXIMO = 32

/**
 * A null value deletes the mark. The message must belong to a conversa of this contato. `$5` limits edits and
 * deletions to the side that wrote the message, so a customer cannot change ours.
 */
const MARCAR = `
update mensagens m set extras = nullif(jsonb_strip_nulls(coalesce(m.extras, '{}') || $3::jsonb), '{}')
from conversas v
where m.conta_id = $1 and v.conta_id = m.conta_id and v.id = m.conversa_id
  and v.contato_id in (select e.contato_id from enderecos e where e.conta_id = $1 and e.endereco = any ($2::text[]))
  and ($5::text is null or m.direcao = $5)`

const NOSSA = `${MARCAR} and m.id = $4::uuid returning m.id`
const DO_SERVICO = `${MARCAR} and m.canal = $6 and m.id_externo = $4 returning m.id`

export interface AlteracaoDaConta {
  readonly contaId: string
  readonly canal: string
  readonly alteracao: Alteracao
}

/**
 * Marks a message as edited, deleted or reacted to and keeps its text. Returns its id, or null when no message
 * matches.
 */
export async function alterarMensagem(
  { db }: Pick<BotDeps, 'db'>,
  { contaId, canal, alteracao }: AlteracaoDaConta,
): Promise<string | null> {
  const { endereco, outrosEnderecos = [], telefone, alvo, deMim, mudanca } = alteracao
  const enderecos = [...new Set([enderecoCanonico(telefone, endereco), endereco, ...outrosEnderecos])]
  const nossa = UUID.safeParse(alvo).success
  const lado = mudanca.tipo === 'reacao' ? null : deMim ? 'saida' : 'entrada'
  const valores = [contaId, enderecos, JSON.stringify(marcasDe(alteracao)), texto(alvo, 300), lado]
  const { rows } = await db.transaction(contaId, (tx) =>
    tx.query<{ id: string }>(nossa ? NOSSA : DO_SERVICO, nossa ? valores : [...valores, canal]),
  )
  return rows[0]?.id ?? null
}

function marcasDe({ mudanca, deMim }: Alteracao): { [K in keyof Extras]: Extras[K] | null } {
  switch (mudanca.tipo) {
    case 'edicao':
      return { edicao: texto(mudanca.texto, TEXTO_MAXIMO) }
    case 'apagada':
      return { apagada: true }
    case 'reacao': {
      const emoji = mudanca.emoji === '' ? null : texto(mudanca.emoji, EMOJI_MAXIMO)
      return deMim ? { reacaoLoja: emoji } : { reacaoCliente: emoji }
    }
    default:
      return mudanca satisfies never
  }
}
