import { parseStatusBot } from '@balcao/contract/bot-status'

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
