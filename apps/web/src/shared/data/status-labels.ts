import { AVISO } from '@balcao/contract/constants'
import type { StatusBot } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/bot-status'

export interface StatusAviso {
  readonly tipo: 'info' | 'sucesso' | 'erro'
  readonly text: string
  readonly durationMs?: number
}

/** Notice per status. `autenticado` has none because `CONECTADO` follows immediately. */
export const STATUS_AVISOS: Readonly<Partial<Record<StatusBot, StatusAviso>>> = {
  PARADO: { tipo: 'info', text: 'Bot parado' },
  INICIALIZANDO: { tipo: 'info', text: 'Iniciando bot...' },
  AGUARDANDO_QR: { tipo: 'info', text: 'Aguardando QR Code', durationMs: AVISO.qrMs },
  CONECTADO: { tipo: 'sucesso', text: 'Bot conectado!' },
  ERRO: { tipo: 'erro', text: 'Erro no bot' },
  erro_auth: { tipo: 'erro', text: 'Erro no bot' },
}

export const BOT_STATUS_LABELS: Readonly<Record<StatusBot, string>> = {
  PARADO: 'Parado',
  INICIALIZANDO: 'Iniciando',
  AGUARDANDO_QR: 'Aguardando QR',
  CONECTADO: 'Conectado',
  ERRO: 'Erro',
  autenticado: 'Autenticado',
  erro_auth: 'Erro de autenticação',
}

export type StatusTone = 'verde' | 'amarelo' | 'vermelho' | 'cinza'

export function statusTone(value: string): StatusTone {
  switch (parseStatusBot(value)) {
    case 'CONECTADO':
    case 'autenticado':
      return 'verde'
    case 'INICIALIZANDO':
    case 'AGUARDANDO_QR':
      return 'amarelo'
    case 'ERRO':
    case 'erro_auth':
      return 'vermelho'
    case 'PARADO':
    case null:
      return 'cinza'
  }
}
