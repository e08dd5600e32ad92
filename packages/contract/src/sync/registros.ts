import { LOGS_MANTIDOS } from '#constants.ts'
import type { Log } from '#entities/log.ts'
import type { MensagemBot } from '#entities/mensagem-bot.ts'
import type { EventoServidor } from '#realtime.ts'
import { comOMaisNovo } from './mensagens.ts'

/**
 * Inserts an entry into a list, newest first. A known id is replaced in place by the result of `trocar`. Keeps at
 * most `maximo`.
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

/** Returns the log after an event, at most 100 entries. Events of other accounts change nothing. */
export function aplicarEmLogs(logs: readonly Log[], recebido: EventoServidor, contaId: string): readonly Log[] {
  if (recebido.evento !== 'botLog' || recebido.dados.userId !== contaId) return logs
  const { userId: _conta, seq: _seq, ...log } = recebido.dados
  return incluirNoTopo(logs, log)
}

/** Returns the bot's messages after an event, at most `maximo` entries. Events of other accounts change nothing. */
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
