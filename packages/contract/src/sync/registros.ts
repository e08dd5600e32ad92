import { LOGS_MANTIDOS } from '#constants.ts'
import type { Log } from '#entities/log.ts'
import type { MensagemBot } from '#entities/mensagem-bot.ts'
import type { EventoServidor } from '#realtime.ts'
import { comOMaisNovo } from './mensagens.ts'

/**
 * An entry over a list, newest first: the same id takes its own place (as `trocar` says), a new one goes in front; at most `maximo`.
 */
export function incluirNoTopo<T extends { id: string }>(
  lista: readonly T[],
  item: T,
  maximo = LOGS_MANTIDOS,
  trocar: (atual: T, item: T) => T = (_, nova) => nova,
): T[] {
  if (lista.some(({ id }) => id === item.id))
    return lista.map((atual) => (atual.id === item.id ? trocar(atual, item) : atual))
  return [item, ...lista].slice(0, maximo)
}

/** The log after an event: the last 100, 99 plus the new one (spec §9). Other accounts' events change nothing. */
export function aplicarEmLogs(logs: readonly Log[], recebido: EventoServidor, contaId: string): readonly Log[] {
  if (recebido.evento !== 'botLog' || recebido.dados.userId !== contaId) return logs
  const { userId: _conta, seq: _seq, ...log } = recebido.dados
  return incluirNoTopo(logs, log)
}

/** The bot's messages after an event: `maximo` kept (100; the list shows 50). Other accounts' events change nothing. */
export function aplicarEmMensagensBot(
  mensagens: readonly MensagemBot[],
  recebido: EventoServidor,
  contaId: string,
  maximo = LOGS_MANTIDOS,
): readonly MensagemBot[] {
  if (recebido.evento !== 'botMensagem' || recebido.dados.userId !== contaId) return mensagens
  const { userId: _conta, seq: _seq, ...mensagem } = recebido.dados
  return incluirNoTopo(mensagens, mensagem, maximo, comOMaisNovo)
}
