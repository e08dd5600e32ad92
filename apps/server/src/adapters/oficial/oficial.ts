import type { FastifyBaseLogger } from 'fastify'
import type { ConnectorFactory } from '#ports/messaging.ts'
import type { DiarioOficial, ServicoOficial } from '#ports/oficial.ts'
import { lerAviso } from './aviso.ts'
import { createGraph, type Graph } from './graph.ts'
import { listarModelos } from './modelos.ts'
import { createSessao, type TemposOficial } from './sessao.ts'

export interface OficialOptions extends TemposOficial {
  /** Without a version. Comes only from the environment: an account must not choose where its token goes. */
  readonly baseUrl?: string | undefined
  readonly diario: DiarioOficial
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

export function createOficial({ baseUrl, diario, log, ...tempos }: OficialOptions): {
  readonly factory: ConnectorFactory
  readonly servico: ServicoOficial
} {
  const graph = createGraph(baseUrl)
  return {
    factory: (host) => {
      const { contaId } = host
      // Only our own error texts: a vendor's may repeat the content of a request.
      const registrar = (erro: unknown, oQue: string): void =>
        log.warn(
          { contaId, detalhe: erro instanceof Error ? `${erro.name}: ${erro.message}` : 'erro' },
          `oficial: ${oQue}`,
        )
      return createSessao(host, { graph, diario, registrar, ...tempos })
    },
    servico: { lerAviso, modelos: createModelos(graph, diario, log) },
  }
}

const MODELOS_VALEM_MS = 60_000

/** Cached for one minute per account, because operators open the list often. */
function createModelos(graph: Graph, diario: DiarioOficial, log: OficialOptions['log']): ServicoOficial['modelos'] {
  const lidos = new Map<string, { readonly modelos: Awaited<ReturnType<typeof listarModelos>>; readonly ate: number }>()
  return async (contaId) => {
    const numero = await diario.numero(contaId)
    if (numero === null) return []
    const chave = `${contaId}|${numero.contaWhatsappId}|${numero.token}`
    const lido = lidos.get(chave)
    if (lido !== undefined && lido.ate > performance.now()) return lido.modelos
    try {
      const modelos = await listarModelos(graph, numero)
      lidos.set(chave, { modelos, ate: performance.now() + MODELOS_VALEM_MS })
      if (lidos.size > CONTAS_LEMBRADAS) lidos.delete(lidos.keys().next().value ?? '')
      return modelos
    } catch (error) {
      log.warn({ contaId, detalhe: error instanceof Error ? error.message : 'erro' }, 'oficial: template list not read')
      return null
    }
  }
}
const CONTAS_LEMBRADAS = 200
