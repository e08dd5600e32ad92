import { parseStatusBot } from '@balcao/contract/status-bot'

export type TomDoStatus = 'verde' | 'amarelo' | 'vermelho' | 'cinza'

export function tomDoStatus(valor: string): TomDoStatus {
  switch (parseStatusBot(valor)) {
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
