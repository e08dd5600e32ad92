import { AppError } from '#errors.ts'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import type { Bots, Requester } from '#ports/bots.ts'
import { insertLog } from '#modules/logs/index.ts'
import { wantBot, findBot, unwantBot, lockUnownedLink } from '#modules/bot/repository.ts'
import type { AccountContexts } from '#bot/turn/context.ts'
import { Lru } from '#lib/lru.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { SessionRegistry } from './registry.ts'
import {
  CHANGED_LISTS_TTL_MS,
  LISTS_TTL_MS,
  listActiveConversas,
  type StatusLists,
  listLastLogs,
  toBotStatus,
} from './status.ts'
import { stopLog } from '#bot/texts.ts'

/** Bus channels between nodes. The payload is the id of the conta. */
export const BOTS_CHANNEL = 'bots'
export const CONTEXT_CHANNEL = 'contexto'
export const FORGET_CHANNEL = 'esquecer'

export interface BotsOptions {
  readonly sessions: SessionRegistry
  readonly contexts: AccountContexts
  readonly contextChanged: (contaId: string) => void
  readonly outboxAdded: Bots['outboxAdded']
  readonly typing: Bots['typing']
  readonly forgetContato: Bots['forgetContato']
  readonly pairingCode: Bots['pairingCode']
}

interface StopRequest {
  readonly by: string | undefined
  readonly clearedBy?: Requester
}

interface CachedLists {
  readonly readAt: number
  readonly lists: Promise<StatusLists>
  changed: boolean
}

export interface BotsRuntime extends Bots {
  readonly listsChanged: (contaId: string) => void
  readonly publishStatus: (contaId: string) => Promise<void>
}

export function createBotsPort(deps: BotDeps, { sessions, contexts, ...options }: BotsOptions): BotsRuntime {
  const { db, bus, realtime, log } = deps
  const listas = new Lru<CachedLists>(1_000)

  const listasDe = (contaId: string, expiraEmMinutos: number): Promise<StatusLists> => {
    const parsed = listas.get(contaId)
    const validity = parsed?.changed === true ? CHANGED_LISTS_TTL_MS : LISTS_TTL_MS
    if (parsed !== undefined && performance.now() - parsed.readAt < validity) return parsed.lists
    const since = new Date(deps.clock.now().getTime() - expiraEmMinutos * 60_000)
    const fresh = db.transaction(contaId, async (tx) => ({
      conversasAtivas: await listActiveConversas(tx, contaId, since),
      logs: await listLastLogs(tx, contaId),
    }))
    listas.set(contaId, { readAt: performance.now(), lists: fresh, changed: false })
    fresh.catch(() => listas.delete(contaId))
    return fresh
  }

  const status = async (contaId: string): Promise<BotStatus> => {
    const { config, manutencao } = await contexts.get(contaId)
    const [bot, parsed] = await Promise.all([
      db.transaction(contaId, (tx) => findBot(tx, contaId)),
      listasDe(contaId, config.menu.expiraEmMinutos),
    ])
    return toBotStatus(bot, parsed, manutencao)
  }

  /** Only the newest read publishes. An older read may end later with an outdated status. */
  const aContar = new Map<string, symbol>()
  const publicarStatus = async (contaId: string): Promise<void> => {
    const mine = Symbol(contaId)
    aContar.set(contaId, mine)
    listas.delete(contaId)
    try {
      const lido = await status(contaId)
      if (aContar.get(contaId) === mine) realtime.publish(contaId, 'botStatus', { userId: contaId, ...lido })
    } finally {
      if (aContar.get(contaId) === mine) aContar.delete(contaId)
    }
  }

  const parar = async (contaId: string, { by, clearedBy }: StopRequest): Promise<BotStatus> => {
    const esquecer = clearedBy !== undefined
    const solto = await db.transaction(contaId, async (tx) => {
      const link = esquecer ? await lockUnownedLink(tx, contaId) : null
      const before = await findBot(tx, contaId)
      await unwantBot(tx, contaId, { esquecer })
      // Deleting a stopped session is logged too; stopping it again is not.
      const news = before?.desejado === true || (esquecer && before?.status !== undefined)
      if (news) await insertLog(tx, deps, contaId, stopLog({ esquecer, por: by }))
      if (clearedBy !== undefined) await recordAuditoria(tx, deps, { acao: 'sessaoLimpa', quem: clearedBy })
      return link
    })
    await sessions.release(contaId, esquecer ? 'esquecer' : 'fechar')
    if (solto !== null) await sessions.unlink(solto)
    if (esquecer) await deps.eraseOutside?.(contaId)
    bus.publish(BOTS_CHANNEL, contaId)
    realtime.publish(contaId, 'botStatusChange', { userId: contaId, status: 'PARADO' })
    await publicarStatus(contaId)
    return status(contaId)
  }

  return {
    leasesAlive: sessions.leasesAlive,
    start: async (contaId) => {
      const { whatsapp } = (await contexts.get(contaId)).config
      if (whatsapp.clientId === '') throw new AppError('clientIdObrigatorio')
      await db.transaction(contaId, (tx) => wantBot(tx, contaId, whatsapp.conector))
      sessions.take(contaId).catch((error: unknown) => log.error({ err: error, contaId }, 'bot not started, retrying'))
      listas.delete(contaId)
      return status(contaId)
    },
    stop: (contaId, por) => parar(contaId, { by: por }),
    clearSession: async (contaId, quem) => {
      await parar(contaId, { by: quem.nome, clearedBy: quem })
    },
    status,
    publishStatus: publicarStatus,
    listsChanged: (contaId) => {
      const parsed = listas.get(contaId)
      if (parsed !== undefined) parsed.changed = true
    },
    ...options,
  }
}
