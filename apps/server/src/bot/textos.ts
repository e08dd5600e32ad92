import type { TipoLog } from '@balcao/contract/entities/log'
import { TEXTO_DO_MOTIVO } from '@balcao/contract/errors'
import type { EstadoConexao } from '#ports/messaging.ts'

/** The sentences the runtime itself writes in the account's log and answers. */

export function linhaDoEstado(estado: EstadoConexao): { tipo: TipoLog; mensagem: string } {
  switch (estado.tipo) {
    case 'conectando':
      return { tipo: 'info', mensagem: 'Iniciando bot...' }
    case 'pareando':
      return { tipo: 'info', mensagem: 'Aguardando QR Code' }
    case 'conectado':
      return { tipo: 'success', mensagem: 'Bot conectado!' }
    case 'reconectando':
      return { tipo: 'warning', mensagem: TEXTO_DO_MOTIVO[estado.motivo] }
    case 'encerrado':
      return { tipo: estado.status === 'PARADO' ? 'warning' : 'error', mensagem: TEXTO_DO_MOTIVO[estado.motivo] }
    default:
      return estado satisfies never
  }
}

export const NAO_RESPONDIDA = {
  tipo: 'error',
  mensagem: 'Uma mensagem foi guardada, mas o bot não conseguiu responder a ela',
} as const

export const BOT_PARADO = 'Bot parado'
export const LIMITE_ATINGIDO = 'Limite diário de mensagens atingido: o bot não responde até a meia-noite'
