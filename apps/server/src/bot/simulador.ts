import * as z from 'zod/mini'
import { AppError } from '#errors.ts'
import type { Simulador } from '#ports/simulador.ts'
import type { InboundMessage } from '#ports/messaging.ts'
import { findBot } from './bots-repository.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { Sessions } from './sessions.ts'

export const CANAL_SIMULADOR = 'simulador'
const CONECTOR = 'simulador'

const ordemSchema = z.object({
  contaId: z.string(),
  acao: z.enum(['escanear', 'desconectar', 'falhar']),
  envios: z.number(),
})

export interface SimuladorOptions {
  readonly sessions: Sessions
  readonly receber: (contaId: string, canal: string, mensagem: InboundMessage) => Promise<void>
}

/** Simulated phone. Acts on the session of this node or sends the command over the bus. */
export function createSimuladorPort(deps: BotDeps, { sessions, receber }: SimuladorOptions): Simulador {
  const { bus, telefone, db, log } = deps

  bus.subscribe(CANAL_SIMULADOR, (dados) => {
    const { contaId, acao, envios } = ordemSchema.parse(JSON.parse(dados))
    if (acao === 'falhar') telefone.falharEnvios(contaId, envios)
    else {
      telefone[acao](contaId).catch((error: unknown) =>
        log.error({ err: error, contaId, acao }, 'simulated phone command failed'),
      )
    }
  })

  const conectado = async (contaId: string): Promise<boolean> => {
    const sessao = sessions.get(contaId)
    if (sessao !== undefined) return sessao.lease.conector === CONECTOR && sessao.conectada()
    const bot = await db.transaction(contaId, (tx) => findBot(tx, contaId))
    return bot !== null && bot.vivo && bot.conector === CONECTOR && bot.status === 'CONECTADO'
  }

  const pedirAoOutroNo = (contaId: string, acao: 'escanear' | 'desconectar' | 'falhar', envios = 0): void =>
    bus.publish(CANAL_SIMULADOR, JSON.stringify({ contaId, acao, envios }))

  return {
    escanear: async (contaId) => {
      if (sessions.get(contaId) !== undefined) {
        if (!(await telefone.escanear(contaId))) throw new AppError('semQrCode')
        return
      }
      const bot = await db.transaction(contaId, (tx) => findBot(tx, contaId))
      if (bot === null || !bot.vivo || bot.conector !== CONECTOR || bot.qr_code === null)
        throw new AppError('semQrCode')
      pedirAoOutroNo(contaId, 'escanear')
    },
    desconectar: async (contaId) => {
      if (!(await conectado(contaId))) throw new AppError('botDesconectado')
      if (!(await telefone.desconectar(contaId))) pedirAoOutroNo(contaId, 'desconectar')
    },
    falharEnvios: async (contaId, envios) => {
      if (telefone.falharEnvios(contaId, envios)) return
      if (!(await conectado(contaId))) throw new AppError('botDesconectado')
      pedirAoOutroNo(contaId, 'falhar', envios)
    },
    digitar: async (contaId, quem) => {
      // A session on another node shows nothing: a typing indicator is not worth a bus event.
      if (!(await conectado(contaId))) throw new AppError('botDesconectado')
      telefone.digitar(contaId, quem)
    },
    receber: async (contaId, mensagem) => {
      if (!(await conectado(contaId))) throw new AppError('botDesconectado')
      await receber(contaId, CONECTOR, mensagem)
    },
  }
}
