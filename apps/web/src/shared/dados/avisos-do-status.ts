import { AVISO } from '@balcao/contract/constants'
import type { StatusBot } from '@balcao/contract/entities/bot-status'

export interface AvisoDoStatus {
  readonly tipo: 'info' | 'sucesso' | 'erro'
  readonly texto: string
  readonly duracaoMs?: number
}

/** Notice per status. `autenticado` has none because `CONECTADO` follows immediately. */
export const AVISO_DO_STATUS: Readonly<Partial<Record<StatusBot, AvisoDoStatus>>> = {
  PARADO: { tipo: 'info', texto: 'Bot parado' },
  INICIALIZANDO: { tipo: 'info', texto: 'Iniciando bot...' },
  AGUARDANDO_QR: { tipo: 'info', texto: 'Aguardando QR Code', duracaoMs: AVISO.qrMs },
  CONECTADO: { tipo: 'sucesso', texto: 'Bot conectado!' },
  ERRO: { tipo: 'erro', texto: 'Erro no bot' },
  erro_auth: { tipo: 'erro', texto: 'Erro no bot' },
}

export const ROTULO_DO_STATUS: Readonly<Record<StatusBot, string>> = {
  PARADO: 'Parado',
  INICIALIZANDO: 'Iniciando',
  AGUARDANDO_QR: 'Aguardando QR',
  CONECTADO: 'Conectado',
  ERRO: 'Erro',
  autenticado: 'Autenticado',
  erro_auth: 'Erro de autenticação',
}
