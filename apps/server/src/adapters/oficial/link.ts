import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import type { SessionHost } from '@balcao/connector/port'
import type { OficialNumber } from '#ports/oficial.ts'
import { MetaFailure } from './graph/errors.ts'
import type { Graph } from './graph/client.ts'
import { fetchNumberName, setWebhookSubscription } from './graph/health.ts'

/** The Cloud API has no connection. A number counts as connected while Meta accepts its token. */
export interface MetaLink {
  readonly isConnected: () => boolean
  /** Milliseconds since Meta last accepted a request; null while not connected. */
  readonly silenceMs: () => number | null
  readonly accepted: () => void
  /** Checks the token, publishes changes of the state and schedules the next check. */
  readonly check: () => Promise<void>
  readonly schedule: (ms: number) => void
  /** A send failed. Only the first failure while connected changes the state. */
  readonly sendFailed: (erro: MetaFailure) => Promise<void>
  readonly end: (motivo: MotivoBot) => Promise<void>
  readonly close: () => void
}

export interface MetaLinkOptions {
  readonly graph: Graph
  readonly numero: () => OficialNumber | null
  /** Reloads the number; true when it changed. */
  readonly reloadNumber: () => Promise<boolean>
  readonly linkState: SessionHost['linkState']
  /** Interval of the check, so that an expired token is noticed even without traffic. */
  readonly checkMs: number
  readonly reconnectDelay: (attempt: number) => number
  readonly report: (erro: unknown, oQue: string) => void
}

export function createLink(options: MetaLinkOptions): MetaLink {
  const { graph, numero, reloadNumber, linkState, checkMs, reconnectDelay, report } = options
  let closed = false
  let connected = false
  let signed: OficialNumber | null = null
  let attempts = 0
  let ouvidaEm = 0
  let timer: NodeJS.Timeout | undefined

  const count: SessionHost['linkState'] = (qual) => (closed ? Promise.resolve() : linkState(qual))
  const agendar = (ms: number): void => {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(() => void conferir(), ms)
  }

  const conferir = async (): Promise<void> => {
    const current = numero()
    if (current === null || closed) return
    try {
      const como = await fetchNumberName(graph, current)
      attempts = 0
      ouvidaEm = performance.now()
      if (!connected) {
        connected = true
        await count({ tipo: 'conectado', como })
      }
      void assinar(current)
      agendar(checkMs)
    } catch (error) {
      // The rate limit affects only this check; messages still work.
      if (connected && error instanceof MetaFailure && error.tipo === 'devagar') agendar(error.waitMs + checkMs)
      else await perdeu(error)
    }
  }

  /** Without the subscription Meta sends no webhooks, so each check retries it until it succeeds. */
  const assinar = async (current: OficialNumber): Promise<void> => {
    if (signed === current) return
    try {
      await setWebhookSubscription(graph, current, 'POST')
      signed = current
    } catch (error) {
      report(error, 'webhook subscription failed, retrying')
    }
  }

  const perdeu = async (error: unknown): Promise<void> => {
    const tipo = error instanceof MetaFailure ? error.tipo : 'instavel'
    connected = false
    if (tipo === 'credenciais' || tipo === 'bloqueada' || tipo === 'recusada') {
      report(error, 'Meta rejected the token or blocked the number')
      if (await reloadNumber()) return agendar(0)
      return finish(tipo === 'bloqueada' ? 'banido' : 'credenciaisInvalidas')
    }
    const motivo = tipo === 'instavel' || tipo === 'devagar' ? 'servicoInstavel' : 'semRede'
    await count({ tipo: 'reconectando', motivo })
    agendar(reconnectDelay(attempts))
    attempts += 1
  }

  const finish = async (motivo: MotivoBot): Promise<void> => {
    clearTimeout(timer)
    await count({ tipo: 'encerrado', status: motivo === 'banido' ? 'ERRO' : 'erro_auth', motivo })
  }

  return {
    isConnected: () => connected,
    silenceMs: () => (connected ? performance.now() - ouvidaEm : null),
    accepted: () => void (ouvidaEm = performance.now()),
    ...{ check: conferir, schedule: agendar, end: finish },
    sendFailed: async (erro) => {
      if (connected) await perdeu(erro)
    },
    close: () => {
      closed = true
      connected = false
      clearTimeout(timer)
    },
  }
}
