import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import { simples } from './arrays.ts'
import { COLUNAS_MENSAGEM, lerMensagem, mensagemRowSchema, nomeOuTelefone } from './mensagem-humana.ts'

/** Conversations with people, as the panel reads them: alone for the events, in pages for the list. */

const conversaRowSchema = z.object({
  id: z.string(),
  protocolo: z.string(),
  setor: z.nullable(z.string()),
  status: z.enum(['aguardando', 'em_atendimento', 'finalizada']),
  nome: z.string(),
  telefone: z.string(),
  ultima_atividade: z.date(),
  iniciada_em: z.date(),
  aguardando_desde: z.nullable(z.date()),
  finalizada_em: z.nullable(z.date()),
  operador_id: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  nao_lidas: z.number(),
  teste: z.boolean(),
})
type ConversaRow = z.output<typeof conversaRowSchema>

/** Of the conversation `v`; name and phone are of its contact. */
export const COLUNAS_CONVERSA = `v.id, v.protocolo, v.setor, v.status, v.ultima_atividade, v.iniciada_em, v.aguardando_desde,
  v.finalizada_em, v.operador_id, v.operador, v.nao_lidas, v.teste`

/** The last ones of each conversation, found through their index; each conversation's oldest first. */
const ULTIMAS = `
select m.* from unnest($2::uuid[]) as p (id) cross join lateral (
  select ${COLUNAS_MENSAGEM} from mensagens m where m.conta_id = $1 and m.conversa_id = p.id order by m.id desc limit $3
) m order by m.id`

/** A prepared query of rows with `COLUNAS_CONVERSA`, `nome` and `telefone`. */
export interface ConsultaConversas {
  readonly nome: string
  readonly texto: string
  readonly values: readonly unknown[]
}

/** The conversations of a query, in its order, each with its last `mensagens` messages. */
export async function readConversas(
  tx: Tx,
  contaId: string,
  { nome, texto, values }: ConsultaConversas,
  mensagens = LOGS_MANTIDOS,
): Promise<Conversa[]> {
  const lidas = await tx.queryNamed<ConversaRow>(nome, texto, [...values])
  const rows = lidas.rows.map((row) => conversaRowSchema.parse(row))
  if (rows.length === 0) return []
  // The last one is told in any case.
  const valores = [contaId, simples(rows.map(({ id }) => id)), Math.max(1, mensagens)]
  const ultimas = await tx.queryNamed<z.output<typeof mensagemRowSchema>>('conversas-ultimas', ULTIMAS, valores)
  const porConversa = new Map<string, Mensagem[]>()
  const nomes = new Map(rows.map((row) => [row.id, nomeOuTelefone(row)]))
  for (const row of ultimas.rows) {
    const lida = mensagemRowSchema.parse(row)
    const mensagem = lerMensagem(lida, nomes.get(lida.conversa_id) ?? '')
    const outras = porConversa.get(lida.conversa_id)
    if (outras === undefined) porConversa.set(lida.conversa_id, [mensagem])
    else outras.push(mensagem)
  }
  return rows.map((row) => toConversa(row, porConversa.get(row.id) ?? [], mensagens))
}

const UMA = `select ${COLUNAS_CONVERSA}, c.nome, c.telefone
from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
where v.conta_id = $1 and v.id = $2 and v.protocolo is not null`

/** A conversation of people; null when only the bot served it, or it is not the account's. */
export async function findConversaHumana(tx: Tx, contaId: string, conversaId: string): Promise<Conversa | null> {
  const consulta = { nome: 'conversa-uma', texto: UMA, values: [contaId, conversaId] }
  const [conversa] = await readConversas(tx, contaId, consulta)
  return conversa ?? null
}

function toConversa(row: ConversaRow, ultimas: readonly Mensagem[], mensagens: number): Conversa {
  const ultima = ultimas.at(-1)
  return {
    id: row.id,
    protocolo: row.protocolo,
    setor: row.setor ?? 'geral',
    status: row.status,
    cliente: { nome: row.nome, telefone: row.telefone },
    mensagens: mensagens === 0 ? [] : [...ultimas],
    ...(ultima === undefined ? {} : { ultimaMensagem: { texto: ultima.texto, timestamp: ultima.timestamp } }),
    ultimaAtividade: row.ultima_atividade.toISOString(),
    iniciadoEm: row.iniciada_em.toISOString(),
    aguardandoDesde: (row.aguardando_desde ?? row.iniciada_em).toISOString(),
    naoLidas: row.nao_lidas,
    ...(row.operador_id === null ? {} : { operadorId: row.operador_id }),
    ...(row.operador === null ? {} : { operador: row.operador }),
    ...(row.finalizada_em === null ? {} : { finalizadaEm: row.finalizada_em.toISOString() }),
    teste: row.teste,
  }
}
