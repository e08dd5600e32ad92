import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { type Mensagem, type Midia, midiaSchema, estadoMensagemSchema } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'

/** Conversations with people, as the panel reads them: alone for the events, in pages for the list. */

interface MensagemLida {
  readonly id: string
  readonly direcao: 'entrada' | 'saida'
  readonly origem: 'cliente' | 'bot' | 'ia' | 'operador' | 'telefone'
  readonly texto: string
  readonly midia: Midia | null
  readonly estado: z.output<typeof estadoMensagemSchema>
  readonly erro: string | null
  readonly operador: string | null
  readonly simulada: boolean
  readonly criadaEm: string
}

export function toMensagem(lida: MensagemLida, nomeCliente: string): Mensagem {
  return {
    id: lida.id,
    texto: lida.texto,
    remetente: remetenteDe(lida, nomeCliente),
    timestamp: lida.criadaEm,
    tipo: lida.direcao === 'entrada' ? 'recebida' : 'enviada',
    origem: lida.origem === 'telefone' ? 'celular' : lida.origem,
    estado: lida.estado,
    ...(lida.midia === null ? {} : { midia: lida.midia }),
    ...(lida.erro === null ? {} : { erro: lida.erro }),
    ...(lida.simulada ? { simulada: true } : {}),
  }
}

function remetenteDe({ origem, operador }: MensagemLida, nomeCliente: string): string {
  switch (origem) {
    case 'cliente':
      return nomeCliente
    case 'operador':
      return operador ?? 'Operador'
    case 'telefone':
      return 'Celular'
    case 'bot':
    case 'ia':
      return 'Bot'
    default:
      return origem satisfies never
  }
}

export const mensagemRowSchema = z.object({
  id: z.string(),
  conversa_id: z.string(),
  conversa_status: z.string(),
  nome: z.string(),
  telefone: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  origem: z.enum(['cliente', 'bot', 'ia', 'operador', 'telefone']),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  estado: estadoMensagemSchema,
  erro: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  simulada: z.boolean(),
  criada_em: z.date(),
})

export const MENSAGENS = `
select m.id, m.conversa_id, v.status as conversa_status, c.nome, c.telefone, m.direcao, m.origem, m.texto, m.midia, m.estado,
  m.erro, m.operador, m.simulada, m.criada_em
from mensagens m
join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id`

const conversaRowSchema = z.object({
  id: z.string(),
  protocolo: z.nullable(z.string()),
  setor: z.nullable(z.string()),
  status: z.enum(['aguardando', 'em_atendimento', 'finalizada']),
  nome: z.string(),
  telefone: z.string(),
  atividade: z.date(),
  iniciada_em: z.date(),
  aguardando_desde: z.nullable(z.date()),
  finalizada_em: z.nullable(z.date()),
  operador_id: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  nao_lidas: z.number(),
  teste: z.boolean(),
})
type ConversaRow = z.output<typeof conversaRowSchema>

/** A contact goes on after a conversation ended: what is finished moved for the last time when it ended. */
export const ATIVIDADE = `date_trunc('milliseconds',
  case v.status when 'finalizada' then coalesce(v.finalizada_em, v.iniciada_em) else c.ultima_atividade end)`

const CONVERSAS = `
select v.id, v.protocolo, v.setor, v.status, c.nome, c.telefone, ${ATIVIDADE} as atividade, v.iniciada_em,
  v.aguardando_desde, v.finalizada_em, v.operador_id, v.operador, v.nao_lidas, v.teste
from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id`

const ULTIMAS = `
select m.*, exists (select 1 from saida s where s.conta_id = $1 and s.mensagem_id = m.id) as na_fila
from unnest($2::uuid[]) as p (id) cross join lateral (
  ${MENSAGENS} where m.conta_id = $1 and m.conversa_id = p.id order by m.id desc limit ${LOGS_MANTIDOS}
) m order by m.id`

const ultimaRowSchema = z.extend(mensagemRowSchema, { na_fila: z.boolean() })

/**
 * The conversations that `resto` (everything from `where` on) selects, in its order, each with its last messages.
 * `fila`: what is still queued reads as 'pendente'; not so in an event, since leaving makes no other to correct it.
 */
export async function readConversas(
  tx: Tx,
  contaId: string,
  { resto, values, fila }: { readonly resto: string; readonly values: readonly unknown[]; readonly fila: boolean },
): Promise<Conversa[]> {
  const rows = await tx.rows(conversaRowSchema, `${CONVERSAS} ${resto}`, [...values])
  if (rows.length === 0) return []
  const porConversa = new Map<string, Mensagem[]>(rows.map(({ id }) => [id, []]))
  for (const row of await tx.rows(ultimaRowSchema, ULTIMAS, [contaId, rows.map(({ id }) => id)])) {
    const { criada_em, na_fila, ...lida } = row
    const estado = fila && na_fila ? 'pendente' : lida.estado
    const mensagem = toMensagem({ ...lida, estado, criadaEm: criada_em.toISOString() }, nomeOuTelefone(row))
    porConversa.get(row.conversa_id)?.push(mensagem)
  }
  return rows.map((row) => toConversa(row, porConversa.get(row.id) ?? []))
}

/** A conversation of people; null when it is the bot's, or not the account's. */
export async function findConversaHumana(tx: Tx, contaId: string, conversaId: string): Promise<Conversa | null> {
  const resto = `where v.conta_id = $1 and v.id = $2 and v.status <> 'bot'`
  const [conversa] = await readConversas(tx, contaId, { resto, values: [contaId, conversaId], fila: false })
  return conversa ?? null
}

function toConversa(row: ConversaRow, mensagens: Mensagem[]): Conversa {
  const ultima = mensagens.at(-1)
  return {
    id: row.id,
    protocolo: row.protocolo ?? '',
    setor: row.setor ?? 'geral',
    status: row.status,
    cliente: { nome: row.nome, telefone: row.telefone },
    mensagens,
    ...(ultima === undefined ? {} : { ultimaMensagem: { texto: ultima.texto, timestamp: ultima.timestamp } }),
    ultimaAtividade: row.atividade.toISOString(),
    iniciadoEm: row.iniciada_em.toISOString(),
    aguardandoDesde: (row.aguardando_desde ?? row.iniciada_em).toISOString(),
    naoLidas: row.nao_lidas,
    ...(row.operador_id === null ? {} : { operadorId: row.operador_id }),
    ...(row.operador === null ? {} : { operador: row.operador }),
    ...(row.finalizada_em === null ? {} : { finalizadaEm: row.finalizada_em.toISOString() }),
    teste: row.teste,
  }
}

export function nomeOuTelefone({ nome, telefone }: { nome: string; telefone: string }): string {
  return nome === '' ? telefone : nome
}
