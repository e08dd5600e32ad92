import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { QueryClient } from '@tanstack/react-query'
import { notify } from '#shared/avisos.ts'
import { startBotAndPoll, clearBotSession } from '#shared/data/bot-actions.ts'
import { refreshBotStatus } from '#shared/data/bot-status.ts'
import type { ConfigRead } from '#shared/data/config/use-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'

export interface ActionDeps {
  readonly client: QueryClient
  readonly config: ConfigRead
  readonly bot: BotStatus
  readonly goToGeral: () => void
}

export async function setup({ client, config, goToGeral }: ActionDeps): Promise<void> {
  if (config.loading || config.config === null || config.source !== 'servidor') {
    notify.erro('Aguarde as configurações serem carregadas!')
    return
  }
  if (config.config.whatsapp.clientId.trim() === '') {
    notify.erro('Configure o Client ID primeiro na aba Configurações Gerais!')
    goToGeral()
    return
  }
  const replaces = notify.carregando('1/3 Conferindo a configuração…')
  try {
    await config.reload()
    notify.carregando('2/3 Iniciando o bot…', { replaces })
    await startBotAndPoll(client)
    notify.carregando('3/3 Verificando o status…', { replaces })
    await refreshBotStatus(client)
    notify.sucesso('Bot iniciado! Configuração rápida concluída!', { replaces })
  } catch (error) {
    notify.erro(`Erro na configuração rápida: ${errorMessage(error)}`, { replaces })
  }
}

export async function limpar({ client, bot }: ActionDeps): Promise<void> {
  try {
    await clearBotSession(client, bot)
    notify.sucesso('Sessão limpa! Inicie o bot novamente para gerar novo QR Code.')
  } catch (error) {
    notify.erro(`Erro ao limpar sessão: ${errorMessage(error)}`)
  }
}

export async function recarregar({ config }: ActionDeps): Promise<void> {
  try {
    await config.reload()
    notify.sucesso('Configurações recarregadas!')
  } catch (error) {
    notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`)
  }
}

export async function verificar({ client }: ActionDeps): Promise<void> {
  try {
    await refreshBotStatus(client)
    notify.sucesso('Status do bot verificado!')
  } catch {
    notify.erro('Erro ao verificar status do bot')
  }
}
