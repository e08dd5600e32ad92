import type { EstadoMensagem, Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import { type Extras, toMarcas } from './extras.ts'

interface MensagemLida {
  readonly id: string
  readonly direcao: 'entrada' | 'saida'
  readonly origem: 'cliente' | 'bot' | 'ia' | 'operador' | 'telefone'
  readonly texto: string
  readonly midia: Midia | null
  readonly estado: EstadoMensagem
  readonly erro: string | null
  readonly operador: string | null
  readonly simulada: boolean
  readonly extras?: Extras | null
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
    ...toMarcas(lida.extras),
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

/** A subquery per message, because a join could scan the whole table `saida`. */
export const COLUNAS_MENSAGEM = `
m.id, m.conversa_id, m.direcao, m.origem, m.texto, m.midia, m.estado, m.erro, m.operador, m.simulada, m.extras, m.criada_em,
coalesce((select true from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id limit 1), false) as na_fila`

export interface MensagemRow extends Omit<MensagemLida, 'criadaEm'> {
  readonly conversa_id: string
  readonly criada_em: Date
  readonly na_fila: boolean
}

/** A queued message is `pendente`, unless a receipt arrived before its row was deleted. */
export function lerMensagem(row: MensagemRow, nomeCliente: string): Mensagem {
  const { criada_em, na_fila, estado: escrito, ...lida } = row
  const estado = na_fila && escrito === 'enviada' ? 'pendente' : escrito
  return toMensagem({ ...lida, estado, criadaEm: criada_em.toISOString() }, nomeCliente)
}

/** WhatsApp may give neither name nor number. */
export function nomeOuTelefone({ nome, telefone }: { readonly nome: string; readonly telefone: string }): string {
  return nome || telefone || 'Cliente sem nome'
}
