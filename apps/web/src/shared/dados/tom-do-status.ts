import { parseStatusBot } from '@balcao/contract/status-bot'

export type TomDoStatus = 'verde' | 'amarelo' | 'vermelho' | 'cinza'

/** The colour of a bot's status wherever it is shown: it works, it is on its way, it needs somebody, it rests. */
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
