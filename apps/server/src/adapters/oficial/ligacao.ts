import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import type { SessionHost } from '#ports/messaging.ts'
import type { NumeroOficial } from '#ports/oficial.ts'
import { FalhaMeta } from './falhas.ts'
import type { Graph } from './graph.ts'
import { apresentar, assinarAvisos } from './saude.ts'

/** There is no line to keep open: a number is connected while Meta accepts its token, and whoever is told of it hears of changes. */
export interface Ligacao {
  readonly conectada: () => boolean
  /** Since Meta last took something of ours; null while not connected. */
  readonly silencioMs: () => number | null
  /** Meta took something. */
  readonly ouviu: () => void
  /** Asks Meta whether all is well, and says so; comes back by itself while it is not. */
  readonly conferir: () => Promise<void>
  /** The same, so much later. */
  readonly agendar: (ms: number) => void
  /** A send found out first. Of many that fail at once, one says so. */
  readonly caiu: (erro: FalhaMeta) => Promise<void>
  readonly encerrar: (motivo: MotivoBot) => Promise<void>
  /** Nothing is told from here on. */
  readonly fechar: () => void
}

export interface LigacaoOptions {
  readonly graph: Graph
  readonly numero: () => NumeroOficial | null
  /** Looks whether `numero` is another one by now. */
  readonly trocou: () => Promise<boolean>
  readonly estado: SessionHost['estado']
  /** How often Meta is asked: so that a token that expires while nobody writes is noticed all the same. */
  readonly conferirMs: number
  /** Waits before the n-th attempt to come back. */
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
      // Asked too often, Meta still takes and brings messages: it is the question that has to wait.
      if (conectada && error instanceof FalhaMeta && error.tipo === 'devagar') agendar(error.esperaMs + conferirMs)
      else await perdeu(error)
    }
  }

  /** Without it Meta brings nothing: it is asked until it has said yes. */
  const assinar = async (atual: NumeroOficial): Promise<void> => {
    if (assinado === atual) return
    try {
      await assinarAvisos(graph, atual, 'POST')
      assinado = atual
    } catch (error) {
      registrar(error, 'Meta was not asked to bring messages')
    }
  }

  const perdeu = async (error: unknown): Promise<void> => {
    const tipo = error instanceof FalhaMeta ? error.tipo : 'instavel'
    conectada = false
    if (tipo === 'credenciais' || tipo === 'bloqueada' || tipo === 'recusada') {
      registrar(error, 'Meta does not let us in')
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
