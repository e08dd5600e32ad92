import { SendFailed } from '@balcao/connector/errors'
import type { Connector, SessionHost } from '@balcao/connector/port'

/** Replaces a connector that this server does not have. It ends with the reason when it starts. */
export function createAbsentConnector(host: Pick<SessionHost, 'linkState'>): Connector {
  return {
    silenceMs: () => null,
    start: () => host.linkState({ tipo: 'encerrado', status: 'ERRO', motivo: 'conectorAusente' }),
    stop: () => Promise.resolve(),
    logout: () => Promise.resolve(),
    send: () => Promise.reject(new SendFailed('conector ausente')),
    typing: () => undefined,
  }
}
