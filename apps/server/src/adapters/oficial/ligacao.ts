import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import type { SessionHost } from '#ports/messaging.ts'
import type { OficialNumber } from '#ports/oficial.ts'
import { MetaFailure } from './falhas.ts'
import type { Graph } from './graph.ts'
import { fetchNumberName, setWebhookSubscription } from './saude.ts'

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
  readonly reconnectDelay: (tentativa: number) => number
  readonly report: (erro: unknown, oQue: string) => void
}

export function createLink(options: MetaLinkOptions): MetaLink {
  const { graph, numero, reloadNumber, linkState, checkMs, reconnectDelay, report } = options
  let fechada = false
  let conectada = false
  let assinado: OficialNumber | null = null
  let tentativas = 0
  let ouvidaEm = 0
  let timer: NodeJS.Timeout | undefined

  const contar: SessionHost['linkState'] = (qual) => (fechada ? Promise.resolve() : linkState(qual))
  const agendar = (ms: number): void => {
    clearTimeout(timer)
    if (!fechada) timer = setTimeout(() => void conferir(), ms)
  }

  const conferir = async (): Promise<void> => {
    const atual = numero()
    if (atual === null || fechada) return
    try {
      const como = await fetchNumberName(graph, atual)
      tentativas = 0
      ouvidaEm = performance.now()
      if (!conectada) {
        conectada = true
        await contar({ tipo: 'conectado', como })
      }
      void assinar(atual)
      agendar(checkMs)
    } catch (error) {
      // The rate limit affects only this check; messages still work.
      if (conectada && error instanceof MetaFailure && error.tipo === 'devagar') agendar(error.waitMs + checkMs)
      else await perdeu(error)
    }
  }

  /** Without the subscription Meta sends no webhooks, so each check retries it until it succeeds. */
  const assinar = async (atual: OficialNumber): Promise<void> => {
    if (assinado === atual) return
    try {
      await setWebhookSubscription(graph, atual, 'POST')
      assinado = atual
    } catch (error) {
      report(error, 'webhook subscription failed, retrying')
    }
  }

  const perdeu = async (error: unknown): Promise<void> => {
    const tipo = error instanceof MetaFailure ? error.tipo : 'instavel'
    conectada = false
    if (tipo === 'credenciais' || tipo === 'bloqueada' || tipo === 'recusada') {
      report(error, 'Meta rejected the token or blocked the number')
      if (await reloadNumber()) return agendar(0)
      return encerrar(tipo === 'bloqueada' ? 'banido' : 'credenciaisInvalidas')
    }
    const motivo = tipo === 'instavel' || tipo === 'devagar' ? 'servicoInstavel' : 'semRede'
    await contar({ tipo: 'reconectando', motivo })
    agendar(reconnectDelay(tentativas))
    tentativas += 1
  }

  const encerrar = async (motivo: MotivoBot): Promise<void> => {
    clearTimeout(timer)
    await contar({ tipo: 'encerrado', status: motivo === 'banido' ? 'ERRO' : 'erro_auth', motivo })
  }

  return {
    isConnected: () => conectada,
    silenceMs: () => (conectada ? performance.now() - ouvidaEm : null),
    accepted: () => void (ouvidaEm = performance.now()),
    ...{ check: conferir, schedule: agendar, end: encerrar },
    sendFailed: async (erro) => {
      if (conectada) await perdeu(erro)
    },
    close: () => {
      fechada = true
      conectada = false
      clearTimeout(timer)
    },
  }
}
