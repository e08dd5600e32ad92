import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { channelOf } from '@balcao/contract/connectors'
import { SendFailed } from '@balcao/connector/errors'
import { PairingCodes } from '@balcao/connector/pairing-codes'
import type { Connector, ConnectorFactory, SessionHost, InboundMessage } from '@balcao/connector/port'
import type { LineKey } from '#ports/bots.ts'
import type { PhoneOrder, SimulatedPhones, Simulador } from '#ports/simulador.ts'
import { AppError } from '#errors.ts'

const credentialsSchema = z.object({ pareado: z.literal(true) })

export const QR_ROTATION_MS = 20_000
const QR_MAX = 30

export interface SimuladorOptions {
  readonly qrRotationMs?: number
}

/**
 * Simulated phone. It pairs on the order `scan`, accepts every message, and fails or disconnects on command. Messages
 * are not copied: the chat page reads the account's own.
 */
export function createSimulador({ qrRotationMs = QR_ROTATION_MS }: SimuladorOptions = {}): {
  readonly factory: ConnectorFactory
  readonly phones: SimulatedPhones
} {
  const connections = new Map<string, SimuladorConnection>()
  return {
    factory: (host) => {
      const connection = new SimuladorConnection(host, qrRotationMs, () => {
        if (connections.get(host.linhaId) === connection) connections.delete(host.linhaId)
      })
      connections.set(host.linhaId, connection)
      return connection
    },
    phones: async ({ linhaId }, order) => (await connections.get(linhaId)?.obey(order)) ?? false,
  }
}

/** The members are own properties, because tests copy a connector and replace some of them. */
class SimuladorConnection implements Connector {
  readonly #host: SessionHost
  readonly #closed: () => void
  readonly #codes: PairingCodes
  #shown: Promise<void> = Promise.resolve()
  #connected = false
  #failures = 0

  constructor(host: SessionHost, qrRotationMs: number, closed: () => void) {
    this.#host = host
    this.#closed = closed
    this.#codes = new PairingCodes({
      now: host.now,
      publish: (state) => {
        this.#shown = host.linkState(state)
      },
      ...{ lifetimeMs: qrRotationMs, max: QR_MAX },
      onExpired: () => void this.#showCode(),
    })
  }

  /** The phone runs in this process, so the link is never silent. */
  readonly silenceMs = (): number | null => (this.#connected ? 0 : null)

  readonly start = async (): Promise<void> => {
    await this.#host.linkState({ tipo: 'conectando' })
    await (credentialsSchema.safeParse(this.#host.credentials).success ? this.#connect() : this.#showCode())
  }

  readonly stop = async (): Promise<void> => {
    this.#reset()
    this.#closed()
  }

  readonly logout = (): Promise<void> => this.stop()

  readonly send = async (): Promise<void> => {
    if (this.#failures === 0) return
    this.#failures -= 1
    throw new SendFailed('falha de envio simulada')
  }

  readonly typing = (): void => undefined

  async obey(order: PhoneOrder): Promise<boolean> {
    if (order.act === 'scan') return this.#scan()
    if (order.act === 'failSends') {
      this.#failures = order.count
      return true
    }
    if (!this.#connected) return false
    if (order.act === 'disconnect') await this.#disconnect()
    if (order.act === 'type') this.#host.typing({ telefone: order.telefone, endereco: order.telefone })
    return true
  }

  async #scan(): Promise<boolean> {
    if (!this.#codes.isShowing) return false
    // Written before the state: a bot that was shown as connected must reconnect without a new scan. A failed
    // write keeps the code valid.
    await this.#host.saveCredentials({ pareado: true })
    if (!this.#codes.isShowing) return false
    this.#reset()
    await this.#connect()
    return true
  }

  #disconnect(): Promise<void> {
    this.#reset()
    return this.#host.linkState({ tipo: 'encerrado', status: 'PARADO', motivo: 'desconectadoNoCelular' })
  }

  #showCode(): Promise<void> {
    if (this.#codes.show(`balcao-simulador,${randomBytes(24).toString('base64url')}`)) return this.#shown
    this.#reset()
    return this.#host.linkState({ tipo: 'encerrado', status: 'PARADO', motivo: 'qrExpirado' })
  }

  #connect(): Promise<void> {
    this.#connected = true
    return this.#host.linkState({ tipo: 'conectado', como: 'Simulador' })
  }

  #reset(): void {
    this.#codes.stop()
    this.#connected = false
  }
}

export interface SimuladorPhoneOptions {
  readonly phones: SimulatedPhones
  readonly receive: (line: LineKey, channel: string, message: InboundMessage) => Promise<void>
}

/** The simulated customer phone of the chat page, on whichever node the session runs. */
export function createSimuladorPhone({ phones, receive }: SimuladorPhoneOptions): Simulador {
  const requireConnected = async (line: LineKey, order: PhoneOrder): Promise<void> => {
    if (!(await phones(line, order))) throw new AppError('botDesconectado')
  }
  return {
    scan: async (line) => {
      if (!(await phones(line, { act: 'scan' }))) throw new AppError('semQrCode')
    },
    disconnect: (line) => requireConnected(line, { act: 'disconnect' }),
    failSends: (line, count) => requireConnected(line, { act: 'failSends', count }),
    type: (line, telefone) => requireConnected(line, { act: 'type', telefone }),
    receive: async (line, message) => {
      await requireConnected(line, { act: 'check' })
      await receive(
        line,
        channelOf({ conector: 'simulador', linha: line.linhaId === line.contaId ? null : line.linhaId }),
        message,
      )
    },
  }
}
