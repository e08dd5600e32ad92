import * as z from 'zod/mini'
import { AppError } from '#errors.ts'
import type { Simulador } from '#ports/simulador.ts'
import type { InboundMessage } from '@balcao/connector/port'
import { findBot } from '#modules/bot/repository.ts'
import type { BotDeps } from './deps.ts'
import type { SessionRegistry } from './session/registry.ts'

export const SIMULADOR_CHANNEL = 'simulador'
const SIMULADOR = 'simulador'

const commandSchema = z.object({
  contaId: z.string(),
  acao: z.enum(['escanear', 'desconectar', 'falhar']),
  envios: z.number(),
})

export interface SimuladorOptions {
  readonly sessions: SessionRegistry
  readonly receive: (contaId: string, channel: string, mensagem: InboundMessage) => Promise<void>
}

/** Simulated phone. Acts on the session of this node or sends the command over the bus. */
export function createSimuladorPort(deps: BotDeps, { sessions, receive }: SimuladorOptions): Simulador {
  const { bus, phone, db, log } = deps

  bus.subscribe(SIMULADOR_CHANNEL, (data) => {
    const { contaId, acao, envios } = commandSchema.parse(JSON.parse(data))
    if (acao === 'falhar') phone.failSends(contaId, envios)
    else {
      phone[acao](contaId).catch((error: unknown) =>
        log.error({ err: error, contaId, acao }, 'simulated phone command failed'),
      )
    }
  })

  const conectado = async (contaId: string): Promise<boolean> => {
    const session = sessions.get(contaId)
    if (session !== undefined) return session.lease.conector === SIMULADOR && session.connected()
    const bot = await db.transaction(contaId, (tx) => findBot(tx, contaId))
    return bot !== null && bot.vivo && bot.conector === SIMULADOR && bot.status === 'CONECTADO'
  }

  const pedirAoOutroNo = (contaId: string, acao: 'escanear' | 'desconectar' | 'falhar', envios = 0): void =>
    bus.publish(SIMULADOR_CHANNEL, JSON.stringify({ contaId, acao, envios }))

  return {
    scan: async (contaId) => {
      if (sessions.get(contaId) !== undefined) {
        if (!(await phone.escanear(contaId))) throw new AppError('semQrCode')
        return
      }
      const bot = await db.transaction(contaId, (tx) => findBot(tx, contaId))
      if (bot === null || !bot.vivo || bot.conector !== SIMULADOR || bot.qr_code === null)
        throw new AppError('semQrCode')
      pedirAoOutroNo(contaId, 'escanear')
    },
    disconnect: async (contaId) => {
      if (!(await conectado(contaId))) throw new AppError('botDesconectado')
      if (!(await phone.desconectar(contaId))) pedirAoOutroNo(contaId, 'desconectar')
    },
    failSends: async (contaId, envios) => {
      if (phone.failSends(contaId, envios)) return
      if (!(await conectado(contaId))) throw new AppError('botDesconectado')
      pedirAoOutroNo(contaId, 'falhar', envios)
    },
    type: async (contaId, quem) => {
      // A session on another node shows nothing: a typing indicator is not worth a bus event.
      if (!(await conectado(contaId))) throw new AppError('botDesconectado')
      phone.type(contaId, quem)
    },
    receive: async (contaId, mensagem) => {
      if (!(await conectado(contaId))) throw new AppError('botDesconectado')
      await receive(contaId, SIMULADOR, mensagem)
    },
  }
}
