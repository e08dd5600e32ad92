import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import type { BotRow } from './repository.ts'

type ShownRow = Pick<BotRow, 'desejado' | 'vivo' | 'motivo' | 'alerta' | 'status' | 'retido'>

/**
 * A wanted bot that no running node has is shown as INICIALIZANDO, because a node will take it, unless only a missing
 * machine may take it.
 */
export function shownStatus(bot: ShownRow | null): StatusBot {
  if (bot === null) return 'PARADO'
  return bot.desejado && !bot.vivo && bot.motivo !== 'maquinaFora' ? 'INICIALIZANDO' : bot.status
}

/** `manutencao`: the account is paused, so a connected bot does not answer. */
export function shownMotivo(bot: ShownRow, manutencao: boolean): MotivoBot | null {
  if (bot.retido) return 'copiaRestaurada'
  if (shownStatus(bot) !== 'CONECTADO') return bot.motivo
  return manutencao ? 'manutencao' : bot.alerta
}
