import type { EstadoMensagem, Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import { type MensagemMarks, marksView } from './marks-view.ts'

interface ReadMensagem {
  readonly id: string
  readonly direcao: 'entrada' | 'saida'
  readonly origem: 'cliente' | 'bot' | 'ia' | 'operador' | 'telefone'
  readonly texto: string
  readonly midia: Midia | null
  readonly estado: EstadoMensagem
  readonly erro: string | null
  readonly operador: string | null
  readonly simulada: boolean
  readonly extras?: MensagemMarks | null
  readonly criadaEm: string
}

export function toMensagem(row: ReadMensagem, customerName: string): Mensagem {
  return {
    id: row.id,
    texto: row.texto,
    remetente: senderOf(row, customerName),
    timestamp: row.criadaEm,
    tipo: row.direcao === 'entrada' ? 'recebida' : 'enviada',
    origem: row.origem === 'telefone' ? 'celular' : row.origem,
    estado: row.estado,
    ...(row.midia === null ? {} : { midia: row.midia }),
    ...(row.erro === null ? {} : { erro: row.erro }),
    ...(row.simulada ? { simulada: true } : {}),
    ...marksView(row.extras),
  }
}

function senderOf({ origem, operador }: ReadMensagem, nomeCliente: string): string {
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

/** A subquery per message, because a join could scan the whole table `saida`. */
export const MENSAGEM_COLUMNS = `
m.id, m.conversa_id, m.direcao, m.origem, m.texto, m.midia, m.estado, m.erro, m.operador, m.simulada, m.extras, m.criada_em,
coalesce((select true from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id limit 1), false) as na_fila`

export interface MensagemRow extends Omit<ReadMensagem, 'criadaEm'> {
  readonly conversa_id: string
  readonly criada_em: Date
  readonly na_fila: boolean
}

/** A queued message is `pendente`, unless a receipt arrived before its row was deleted. */
export function mensagemFromRow(row: MensagemRow, customerName: string): Mensagem {
  const { criada_em, na_fila, estado: written, ...parsed } = row
  const estado = na_fila && written === 'enviada' ? 'pendente' : written
  return toMensagem({ ...parsed, estado, criadaEm: criada_em.toISOString() }, customerName)
}

/** WhatsApp may give neither name nor number. */
export function nameOrPhone({ nome, telefone }: { readonly nome: string; readonly telefone: string }): string {
  return nome || telefone || 'Cliente sem nome'
}
