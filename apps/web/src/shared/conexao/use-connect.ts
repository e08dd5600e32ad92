import { CONNECTORS, type ConectorTipo } from '@balcao/contract/connectors'
import { clientIdOf } from '@balcao/contract/text/client-id'
import { useQueryClient } from '@tanstack/react-query'
import { startBotAndPoll, stopBotAndPolling } from '#shared/data/bot-actions.ts'
import { useBotStatus } from '#shared/data/bot-status.ts'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { useUsuario } from '#shared/session.tsx'

/**
 * Saves the connector and restarts the bot with it. A connector with a token only stops the bot, because its data are
 * still missing.
 */
export function useConnect(): (conector: ConectorTipo) => Promise<void> {
  const client = useQueryClient()
  const { empresa } = useUsuario()
  const { bot } = useBotStatus()
  const { reload } = useConfig()
  const save = useSaveConfig()
  return async (conector) => {
    const config = await reload()
    const clientId = config.whatsapp.clientId.trim()
    const whatsapp = { ...config.whatsapp, conector, clientId: clientId === '' ? clientIdOf(empresa) : clientId }
    await save({ ...config, whatsapp })
    const withToken = CONNECTORS[conector].pairing === 'none'
    if (bot.isRunning || bot.inicializado || withToken) await stopBotAndPolling(client)
    if (!withToken) await startBotAndPoll(client)
  }
}
