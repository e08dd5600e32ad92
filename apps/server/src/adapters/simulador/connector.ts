import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import {
  type Connector,
  type ConnectorFactory,
  SendFailed,
  type SessionHost,
  type SimulatedPhone,
} from '#ports/messaging.ts'

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
  const sessoes = new Map<string, SimuladorConnection>()
  return {
    factory: (host) => {
      const sessao = createConnection(host, qrRotationMs, () => {
        if (sessoes.get(host.contaId) === sessao) sessoes.delete(host.contaId)
      })
      sessoes.set(host.contaId, sessao)
      return sessao
    },
    telefone: {
      escanear: async (contaId) => (await sessoes.get(contaId)?.scan()) ?? false,
      desconectar: async (contaId) => {
        const sessao = sessoes.get(contaId)
        await sessao?.disconnect()
        return sessao !== undefined
      },
      failSends: (contaId, envios) => {
        const sessao = sessoes.get(contaId)
        sessao?.failSends(envios)
        return sessao !== undefined
      },
      type: (contaId, telefone) => {
        const sessao = sessoes.get(contaId)
        sessao?.type(telefone)
        return sessao !== undefined
      },
    },
  }
}

function createConnection(host: SessionHost, qrRotationMs: number, onClose: () => void): SimuladorConnection {
  let giro: NodeJS.Timeout | undefined
  let pareando = false
  let conectado = false
  let mostrados = 0
  let falhas = 0

  const parar = (): void => {
    clearTimeout(giro)
    pareando = false
    conectado = false
  }

  const mostrar = (): Promise<void> => {
    if (mostrados >= QR_MAX) {
      parar()
      return host.linkState({ tipo: 'encerrado', status: 'PARADO', motivo: 'qrExpirado' })
    }
    mostrados += 1
    pareando = true
    giro = setTimeout(() => void mostrar(), qrRotationMs)
    const expiraEm = new Date(Date.now() + qrRotationMs)
    return host.linkState({
      tipo: 'pareando',
      qrCode: `balcao-simulador,${randomBytes(24).toString('base64url')}`,
      expiraEm,
    })
  }

  const conectar = (): Promise<void> => {
    conectado = true
    return host.linkState({ tipo: 'conectado', como: 'Simulador' })
  }

  return {
    capabilities: { digitando: true },
    // The phone runs in this process, so the link is never silent.
    silenceMs: () => (conectado ? 0 : null),
    start: async () => {
      await host.linkState({ tipo: 'conectando' })
      await (credentialsSchema.safeParse(host.credentials).success ? conectar() : mostrar())
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
      if (falhas === 0) return
      falhas -= 1
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
      await conectar()
      return true
    },
    disconnect: () => {
      parar()
      return host.linkState({ tipo: 'encerrado', status: 'PARADO', motivo: 'desconectadoNoCelular' })
    },
    failSends: (envios) => {
      falhas = envios
    },
    type: (telefone) => host.typing({ telefone, endereco: telefone }),
  }
}
