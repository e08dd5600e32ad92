import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { SendFailed } from '@balcao/connector/errors'
import type { Connector, ConnectorFactory, SessionHost } from '@balcao/connector/port'
import type { SimulatedPhone } from '#ports/simulador.ts'

const credentialsSchema = z.object({ pareado: z.literal(true) })

export const QR_ROTATION_MS = 20_000
const QR_MAX = 30

export interface SimuladorOptions {
  readonly qrRotationMs?: number
}

interface SimuladorConnection extends Connector {
  readonly scan: () => Promise<boolean>
  readonly disconnect: () => Promise<void>
  readonly failSends: (envios: number) => void
  readonly type: (telefone: string) => void
}

/**
 * Simulated phone. It pairs when `escanear` is called, accepts every message, and fails or disconnects on command.
 * Messages are not copied: the chat page reads the account's own.
 */
export function createSimulador({ qrRotationMs = QR_ROTATION_MS }: SimuladorOptions = {}): {
  readonly factory: ConnectorFactory
  readonly telefone: SimulatedPhone
} {
  const sessions = new Map<string, SimuladorConnection>()
  return {
    factory: (host) => {
      const session = createConnection(host, qrRotationMs, () => {
        if (sessions.get(host.contaId) === session) sessions.delete(host.contaId)
      })
      sessions.set(host.contaId, session)
      return session
    },
    telefone: {
      escanear: async (contaId) => (await sessions.get(contaId)?.scan()) ?? false,
      desconectar: async (contaId) => {
        const session = sessions.get(contaId)
        await session?.disconnect()
        return session !== undefined
      },
      failSends: (contaId, envios) => {
        const session = sessions.get(contaId)
        session?.failSends(envios)
        return session !== undefined
      },
      type: (contaId, telefone) => {
        const session = sessions.get(contaId)
        session?.type(telefone)
        return session !== undefined
      },
    },
  }
}

function createConnection(host: SessionHost, qrRotationMs: number, onClose: () => void): SimuladorConnection {
  let giro: NodeJS.Timeout | undefined
  let pareando = false
  let connected = false
  let shown = 0
  let failures = 0

  const parar = (): void => {
    clearTimeout(giro)
    pareando = false
    connected = false
  }

  const show = (): Promise<void> => {
    if (shown >= QR_MAX) {
      parar()
      return host.linkState({ tipo: 'encerrado', status: 'PARADO', motivo: 'qrExpirado' })
    }
    shown += 1
    pareando = true
    giro = setTimeout(() => void show(), qrRotationMs)
    const expiraEm = new Date(Date.now() + qrRotationMs)
    return host.linkState({
      tipo: 'pareando',
      qrCode: `balcao-simulador,${randomBytes(24).toString('base64url')}`,
      expiraEm,
    })
  }

  const connect = (): Promise<void> => {
    connected = true
    return host.linkState({ tipo: 'conectado', como: 'Simulador' })
  }

  return {
    // The phone runs in this process, so the link is never silent.
    silenceMs: () => (connected ? 0 : null),
    start: async () => {
      await host.linkState({ tipo: 'conectando' })
      await (credentialsSchema.safeParse(host.credentials).success ? connect() : show())
    },
    stop: async () => {
      parar()
      onClose()
    },
    logout: async () => {
      parar()
      onClose()
    },
    send: async () => {
      if (failures === 0) return
      failures -= 1
      throw new SendFailed('falha de envio simulada')
    },
    typing: () => {},
    scan: async () => {
      if (!pareando) return false
      // Written before the state: a bot that was shown as connected must reconnect without a new scan. A failed
      // write keeps the code valid.
      await host.saveCredentials({ pareado: true })
      if (!pareando) return false
      parar()
      await connect()
      return true
    },
    disconnect: () => {
      parar()
      return host.linkState({ tipo: 'encerrado', status: 'PARADO', motivo: 'desconectadoNoCelular' })
    },
    failSends: (envios) => {
      failures = envios
    },
    type: (telefone) => host.typing({ telefone, endereco: telefone }),
  }
}
