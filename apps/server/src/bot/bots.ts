import { AppError } from '#errors.ts'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import type { Bots, QuemPediu } from '#ports/bots.ts'
import { insertLog } from '#modules/logs/index.ts'
import { desejar, findBot, naoDesejar, travarVinculoSolto } from './bots-repository.ts'
import type { Contextos } from './contextos.ts'
import { Lru } from './lru.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { Sessions } from './sessions.ts'
import {
  LISTAS_MUDADAS_VALEM_MS,
  LISTAS_VALEM_MS,
  listConversasAtivas,
  type ListasStatus,
  listUltimosLogs,
  toBotStatus,
} from './status.ts'
import { linhaDaParada } from './textos.ts'

/** Bus channels between nodes. The payload is the id of the conta. */
export const CANAL_BOTS = 'bots'
export const CANAL_CONTEXTO = 'contexto'
export const CANAL_ESQUECER = 'esquecer'

export interface BotsOptions {
  readonly sessions: Sessions
  readonly contextos: Contextos
  readonly contextoMudou: (contaId: string) => void
  readonly saidaNova: Bots['saidaNova']
  readonly digitando: Bots['digitando']
  readonly esquecerContato: Bots['esquecerContato']
  readonly codigo: Bots['codigo']
}

interface Parada {
  readonly por: string | undefined
  readonly limpou?: QuemPediu
}

interface Lidas {
  readonly em: number
  readonly listas: Promise<ListasStatus>
  mudou: boolean
}

export interface BotsRuntime extends Bots {
  readonly listasMudaram: (contaId: string) => void
  readonly publicarStatus: (contaId: string) => Promise<void>
}

export function createBotsPort(deps: BotDeps, { sessions, contextos, ...options }: BotsOptions): BotsRuntime {
  const { db, bus, realtime, log } = deps
  const listas = new Lru<Lidas>(1_000)

  const listasDe = (contaId: string, expiraEmMinutos: number): Promise<ListasStatus> => {
    const lidas = listas.get(contaId)
    const validade = lidas?.mudou === true ? LISTAS_MUDADAS_VALEM_MS : LISTAS_VALEM_MS
    if (lidas !== undefined && performance.now() - lidas.em < validade) return lidas.listas
    const desde = new Date(deps.clock.now().getTime() - expiraEmMinutos * 60_000)
    const novas = db.transaction(contaId, async (tx) => ({
      conversasAtivas: await listConversasAtivas(tx, contaId, desde),
      logs: await listUltimosLogs(tx, contaId),
    }))
    listas.set(contaId, { em: performance.now(), listas: novas, mudou: false })
    novas.catch(() => listas.delete(contaId))
    return novas
  }

  const status = async (contaId: string): Promise<BotStatus> => {
    const { config, manutencao } = await contextos.get(contaId)
    const [bot, lidas] = await Promise.all([
      db.transaction(contaId, (tx) => findBot(tx, contaId)),
      listasDe(contaId, config.menu.expiraEmMinutos),
    ])
    return toBotStatus(bot, lidas, manutencao)
  }

  /** Only the newest read publishes. An older read may end later with an outdated status. */
  const aContar = new Map<string, symbol>()
  const publicarStatus = async (contaId: string): Promise<void> => {
    const minha = Symbol(contaId)
    aContar.set(contaId, minha)
    listas.delete(contaId)
    try {
      const lido = await status(contaId)
      if (aContar.get(contaId) === minha) realtime.publish(contaId, 'botStatus', { userId: contaId, ...lido })
    } finally {
      if (aContar.get(contaId) === minha) aContar.delete(contaId)
    }
  }

  const parar = async (contaId: string, { por, limpou }: Parada): Promise<BotStatus> => {
    const esquecer = limpou !== undefined
    const solto = await db.transaction(contaId, async (tx) => {
      const vinculo = esquecer ? await travarVinculoSolto(tx, contaId) : null
      const antes = await findBot(tx, contaId)
      await naoDesejar(tx, contaId, { esquecer })
      // Deleting a stopped session is logged too; stopping it again is not.
      const novidade = antes?.desejado === true || (esquecer && antes?.status !== undefined)
      if (novidade) await insertLog(tx, deps, contaId, linhaDaParada({ esquecer, por }))
      if (limpou !== undefined) await registrarAuditoria(tx, deps, { acao: 'sessaoLimpa', quem: limpou })
      return vinculo
    })
    await sessions.soltar(contaId, esquecer ? 'esquecer' : 'fechar')
    if (solto !== null) await sessions.desvincular(solto)
    if (esquecer) await deps.esquecerFora?.(contaId)
    bus.publish(CANAL_BOTS, contaId)
    realtime.publish(contaId, 'botStatusChange', { userId: contaId, status: 'PARADO' })
    await publicarStatus(contaId)
    return status(contaId)
  }

  return {
    leasesVivos: sessions.leasesVivos,
    iniciar: async (contaId) => {
      const { whatsapp } = (await contextos.get(contaId)).config
      if (whatsapp.clientId === '') throw new AppError('clientIdObrigatorio')
      await db.transaction(contaId, (tx) => desejar(tx, contaId, whatsapp.conector))
      sessions
        .assumir(contaId)
        .catch((error: unknown) => log.error({ err: error, contaId }, 'bot not started, retrying'))
      listas.delete(contaId)
      return status(contaId)
    },
    parar: (contaId, por) => parar(contaId, { por }),
    limparSessao: async (contaId, quem) => {
      await parar(contaId, { por: quem.nome, limpou: quem })
    },
    status,
    publicarStatus,
    listasMudaram: (contaId) => {
      const lidas = listas.get(contaId)
      if (lidas !== undefined) lidas.mudou = true
    },
    ...options,
  }
}
