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
  readonly onStep: (text: string) => void
}

export async function setup({ client, config, goToGeral, onStep }: ActionDeps): Promise<void> {
  if (config.loading || config.config === null || config.source !== 'servidor') {
    notify.erro('Aguarde as configurações serem carregadas!')
    return
  }
  if (config.config.whatsapp.clientId.trim() === '') {
    notify.erro('Configure o Client ID primeiro na aba Configurações Gerais!')
    goToGeral()
    return
  }
  try {
    onStep('1/3 Conferindo…')
    await config.reload()
    onStep('2/3 Iniciando…')
    await startBotAndPoll(client)
    onStep('3/3 Verificando…')
    await refreshBotStatus(client)
    notify.sucesso('Bot iniciado! Configuração rápida concluída!')
  } catch (error) {
    notify.erro(`Erro na configuração rápida: ${errorMessage(error)}`)
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
