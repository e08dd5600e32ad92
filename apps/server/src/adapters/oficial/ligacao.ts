import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import type { SessionHost } from '#ports/messaging.ts'
import type { NumeroOficial } from '#ports/oficial.ts'
import { FalhaMeta } from './falhas.ts'
import type { Graph } from './graph.ts'
import { apresentar, assinarAvisos } from './saude.ts'

/** The Cloud API has no connection. A number counts as connected while Meta accepts its token. */
export interface Ligacao {
  readonly conectada: () => boolean
  /** Milliseconds since Meta last accepted a request; null while not connected. */
  readonly silencioMs: () => number | null
  readonly ouviu: () => void
  /** Checks the token, publishes changes of the state and schedules the next check. */
  readonly conferir: () => Promise<void>
  readonly agendar: (ms: number) => void
  /** A send failed. Only the first failure while connected changes the state. */
  readonly caiu: (erro: FalhaMeta) => Promise<void>
  readonly encerrar: (motivo: MotivoBot) => Promise<void>
  readonly fechar: () => void
}

export interface LigacaoOptions {
  readonly graph: Graph
  readonly numero: () => NumeroOficial | null
  /** Reloads the number; true when it changed. */
  readonly trocou: () => Promise<boolean>
  readonly estado: SessionHost['estado']
  /** Interval of the check, so that an expired token is noticed even without traffic. */
  readonly conferirMs: number
  readonly esperas: (tentativa: number) => number
  readonly registrar: (erro: unknown, oQue: string) => void
}

export function createLigacao(opcoes: LigacaoOptions): Ligacao {
  const { graph, numero, trocou, estado, conferirMs, esperas, registrar } = opcoes
  let fechada = false
  let conectada = false
  let assinado: NumeroOficial | null = null
  let tentativas = 0
  let ouvidaEm = 0
  let timer: NodeJS.Timeout | undefined

  const contar: SessionHost['estado'] = (qual) => (fechada ? Promise.resolve() : estado(qual))
  const agendar = (ms: number): void => {
    clearTimeout(timer)
    if (!fechada) timer = setTimeout(() => void conferir(), ms)
  }

  const conferir = async (): Promise<void> => {
    const atual = numero()
    if (atual === null || fechada) return
    try {
      const como = await apresentar(graph, atual)
      tentativas = 0
      ouvidaEm = performance.now()
      if (!conectada) {
        conectada = true
        await contar({ tipo: 'conectado', como })
      }
      void assinar(atual)
      agendar(conferirMs)
    } catch (error) {
      // The rate limit affects only this check; messages still work.
      if (conectada && error instanceof FalhaMeta && error.tipo === 'devagar') agendar(error.esperaMs + conferirMs)
      else await perdeu(error)
    }
  }

  /** Without the subscription Meta sends no webhooks, so each check retries it until it succeeds. */
  const assinar = async (atual: NumeroOficial): Promise<void> => {
    if (assinado === atual) return
    try {
      await assinarAvisos(graph, atual, 'POST')
      assinado = atual
    } catch (error) {
      registrar(error, 'webhook subscription failed, retrying')
    }
  }

  const perdeu = async (error: unknown): Promise<void> => {
    const tipo = error instanceof FalhaMeta ? error.tipo : 'instavel'
    conectada = false
    if (tipo === 'credenciais' || tipo === 'bloqueada' || tipo === 'recusada') {
      registrar(error, 'Meta rejected the token or blocked the number')
      if (await trocou()) return agendar(0)
      return encerrar(tipo === 'bloqueada' ? 'banido' : 'credenciaisInvalidas')
    }
    const motivo = tipo === 'instavel' || tipo === 'devagar' ? 'servicoInstavel' : 'semRede'
    await contar({ tipo: 'reconectando', motivo })
    agendar(esperas(tentativas))
    tentativas += 1
  }

  const encerrar = async (motivo: MotivoBot): Promise<void> => {
    clearTimeout(timer)
    await contar({ tipo: 'encerrado', status: motivo === 'banido' ? 'ERRO' : 'erro_auth', motivo })
  }

  return {
    conectada: () => conectada,
    silencioMs: () => (conectada ? performance.now() - ouvidaEm : null),
    ouviu: () => void (ouvidaEm = performance.now()),
    ...{ conferir, agendar, encerrar },
    caiu: async (erro) => {
      if (conectada) await perdeu(erro)
    },
    fechar: () => {
      fechada = true
      conectada = false
      clearTimeout(timer)
    },
  }
}
