import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import {
  type Connector,
  type ConnectorFactory,
  EnvioFalhou,
  type SessionHost,
  type TelefoneSimulado,
} from '#ports/messaging.ts'

const credenciaisSchema = z.object({ pareado: z.literal(true) })

export const QR_GIRA_MS = 20_000
const QR_MAXIMO = 30

export interface SimuladorOptions {
  readonly qrGiraMs?: number
}

interface Sessao extends Connector {
  readonly escanear: () => Promise<boolean>
  readonly cair: () => Promise<void>
  readonly falharEnvios: (envios: number) => void
  readonly digitar: (telefone: string) => void
}

/**
 * Simulated phone. It pairs when `escanear` is called, accepts every message, and fails or disconnects on command.
 * Messages are not copied: the chat page reads the account's own.
 */
export function createSimulador({ qrGiraMs = QR_GIRA_MS }: SimuladorOptions = {}): {
  readonly factory: ConnectorFactory
  readonly telefone: TelefoneSimulado
} {
  const sessoes = new Map<string, Sessao>()
  return {
    factory: (host) => {
      const sessao = createSessao(host, qrGiraMs, () => {
        if (sessoes.get(host.contaId) === sessao) sessoes.delete(host.contaId)
      })
      sessoes.set(host.contaId, sessao)
      return sessao
    },
    telefone: {
      escanear: async (contaId) => (await sessoes.get(contaId)?.escanear()) ?? false,
      desconectar: async (contaId) => {
        const sessao = sessoes.get(contaId)
        await sessao?.cair()
        return sessao !== undefined
      },
      falharEnvios: (contaId, envios) => {
        const sessao = sessoes.get(contaId)
        sessao?.falharEnvios(envios)
        return sessao !== undefined
      },
      digitar: (contaId, telefone) => {
        const sessao = sessoes.get(contaId)
        sessao?.digitar(telefone)
        return sessao !== undefined
      },
    },
  }
}

function createSessao(host: SessionHost, qrGiraMs: number, aoFechar: () => void): Sessao {
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
    if (mostrados >= QR_MAXIMO) {
      parar()
      return host.estado({ tipo: 'encerrado', status: 'PARADO', motivo: 'qrExpirado' })
    }
    mostrados += 1
    pareando = true
    giro = setTimeout(() => void mostrar(), qrGiraMs)
    const expiraEm = new Date(Date.now() + qrGiraMs)
    return host.estado({
      tipo: 'pareando',
      qrCode: `balcao-simulador,${randomBytes(24).toString('base64url')}`,
      expiraEm,
    })
  }

  const conectar = (): Promise<void> => {
    conectado = true
    return host.estado({ tipo: 'conectado', como: 'Simulador' })
  }

  return {
    capacidades: { digitando: true },
    // The phone runs in this process, so the link is never silent.
    silencioMs: () => (conectado ? 0 : null),
    start: async () => {
      await host.estado({ tipo: 'conectando' })
      await (credenciaisSchema.safeParse(host.credenciais).success ? conectar() : mostrar())
    },
    stop: async () => {
      parar()
      aoFechar()
    },
    logout: async () => {
      parar()
      aoFechar()
    },
    send: async () => {
      if (falhas === 0) return
      falhas -= 1
      throw new EnvioFalhou('falha de envio simulada')
    },
    digitando: () => {},
    escanear: async () => {
      if (!pareando) return false
      // Written before the state: a bot that was shown as connected must reconnect without a new scan. A failed
      // write keeps the code valid.
      await host.salvarCredenciais({ pareado: true })
      if (!pareando) return false
      parar()
      await conectar()
      return true
    },
    cair: () => {
      parar()
      return host.estado({ tipo: 'encerrado', status: 'PARADO', motivo: 'desconectadoNoCelular' })
    },
    falharEnvios: (envios) => {
      falhas = envios
    },
    digitar: (telefone) => host.digitando({ telefone, endereco: telefone }),
  }
}
