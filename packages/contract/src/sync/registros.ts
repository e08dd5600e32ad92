import { LOGS_MANTIDOS } from '#constants.ts'
import type { Log } from '#entities/log.ts'
import type { MensagemBot } from '#entities/mensagem-bot.ts'
import type { ServerEvent } from '#realtime.ts'
import { mergeDelivery } from './mensagens.ts'

/**
 * Inserts an entry into a list, newest first. A known id is replaced in place by the result of `replace`. Keeps at
 * most `max`.
 */
export function upsertFirst<T extends { id: string }>(
  list: readonly T[],
  item: T,
  max = LOGS_MANTIDOS,
  replace: (current: T, item: T) => T = (_, fresh) => fresh,
): T[] {
  if (list.some(({ id }) => id === item.id))
    return list.map((current) => (current.id === item.id ? replace(current, item) : current))
  return [item, ...list].slice(0, max)
}

/** Returns the log after an event, at most 100 entries. Events of other accounts change nothing. */
export function applyToLogs(logs: readonly Log[], received: ServerEvent, contaId: string): readonly Log[] {
  if (received.evento !== 'botLog' || received.dados.userId !== contaId) return logs
  const { userId: _conta, seq: _seq, ...log } = received.dados
  return upsertFirst(logs, log)
}

/** Returns the bot's messages after an event, at most `max` entries. Events of other accounts change nothing. */
export function applyToMensagensBot(
  mensagens: readonly MensagemBot[],
  received: ServerEvent,
  contaId: string,
  max = LOGS_MANTIDOS,
): readonly MensagemBot[] {
  if (received.evento !== 'botMensagem' || received.dados.userId !== contaId) return mensagens
  const { userId: _conta, seq: _seq, ...mensagem } = received.dados
  return upsertFirst(mensagens, mensagem, max, mergeDelivery)
}
