import { SendFailed } from '@balcao/connector/errors'
import type { ConnectorFactory, OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { NetworkCustomer, TestNetwork } from './networks.ts'

/**
 * The smallest connector, with its service in memory. Outside this file it has one row (`memory-row.ts`) and one line
 * in the list of connectors (`options.connectors`), so it proves that a new connector needs no other edit.
 */
export async function createMemoryNetwork(): Promise<TestNetwork> {
  const sent = new Map<string, OutboundMessage>()
  let pairing: SessionHost | null = null
  let linked: SessionHost | null = null
  let refusals = 0
  let customers = 0

  const connect = (host: SessionHost): Promise<void> => {
    pairing = null
    linked = host
    return host.linkState({ tipo: 'conectado', como: 'Memória' })
  }
  const close = async (): Promise<void> => {
    pairing = null
    linked = null
  }
  const factory: ConnectorFactory = (host) => ({
    silenceMs: () => (linked === host ? 0 : null),
    start: async () => {
      await host.linkState({ tipo: 'conectando' })
      if (host.credentials !== null) return connect(host)
      pairing = host
      await host.linkState({ tipo: 'pareando', qrCode: 'memoria', expiraEm: new Date(Date.now() + 60_000) })
    },
    stop: close,
    logout: close,
    send: async (message) => {
      if (linked !== host) throw new SendFailed('sem conexão')
      if (refusals-- > 0) throw new SendFailed('recusada')
      sent.set(message.idExterno, message)
    },
    typing: () => undefined,
  })

  const customer = (nome: string): NetworkCustomer => {
    customers += 1
    const telefone = `551191000${String(customers).padStart(4, '0')}`
    const textsSent = () => [...sent.values()].filter(({ endereco }) => endereco === telefone)
    return {
      says: async (_app, texto, id = crypto.randomUUID()) =>
        linked?.receive({ id, endereco: telefone, telefone, nome, texto, enviadaEm: new Date() }),
      received: async () => textsSent().map(({ texto }) => texto),
      reportDelivery: async (_app, texto, step) => {
        const message = textsSent().find((other) => other.texto === texto)
        if (message !== undefined && step !== 'saiu') linked?.receipt(message.idExterno, step)
      },
    }
  }

  return {
    conector: 'memoria',
    options: { connectors: { memoria: factory } },
    unlinkedStatus: 'AGUARDANDO_QR',
    unlinkedState: { status: 'PARADO', motivo: 'desconectadoNoCelular' },
    scan: async () => {
      if (pairing === null) return
      await pairing.saveCredentials('linked')
      await connect(pairing)
    },
    customer,
    unlink: async () => linked?.linkState({ tipo: 'encerrado', status: 'PARADO', motivo: 'desconectadoNoCelular' }),
    refuseSends: async (_app, count) => void (refusals = count),
    close,
  }
}
