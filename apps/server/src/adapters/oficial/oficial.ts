import type { FastifyBaseLogger } from 'fastify'
import type { ConnectorFactory } from '@balcao/connector/port'
import type { OficialJournal, OficialService } from '#ports/oficial.ts'
import { parseWebhook } from './webhook-parse.ts'
import { createGraph, type Graph } from './graph/client.ts'
import { listMetaTemplates } from './graph/models.ts'
import { createConnection, type OficialTimings } from './connection.ts'

export interface OficialOptions extends OficialTimings {
  /** Without a version. Comes only from the environment: an account must not choose where its token goes. */
  readonly baseUrl?: string | undefined
  readonly journal: OficialJournal
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

export function createOficial({ baseUrl, journal, log, ...times }: OficialOptions): {
  readonly factory: ConnectorFactory
  readonly servico: OficialService
} {
  const graph = createGraph(baseUrl)
  return {
    factory: (host) => {
      const { contaId } = host
      // Only our own error texts: a vendor's may repeat the content of a request.
      const record = (erro: unknown, oQue: string): void =>
        log.warn(
          { contaId, detalhe: erro instanceof Error ? `${erro.name}: ${erro.message}` : 'erro' },
          `oficial: ${oQue}`,
        )
      return createConnection(host, { graph, journal, report: record, ...times })
    },
    servico: { parseWebhook, listModelos: createTemplateCache(graph, journal, log) },
  }
}

const TEMPLATES_CACHE_MS = 60_000

/** Cached for one minute per account, because operators open the list often. */
function createTemplateCache(
  graph: Graph,
  journal: OficialJournal,
  log: OficialOptions['log'],
): OficialService['listModelos'] {
  const parsed = new Map<
    string,
    { readonly modelos: Awaited<ReturnType<typeof listMetaTemplates>>; readonly ate: number }
  >()
  return async (contaId) => {
    const numero = await journal.findNumber(contaId)
    if (numero === null) return []
    const key = `${contaId}|${numero.contaWhatsappId}|${numero.token}`
    const lido = parsed.get(key)
    if (lido !== undefined && lido.ate > performance.now()) return lido.modelos
    try {
      const modelos = await listMetaTemplates(graph, numero)
      parsed.set(key, { modelos, ate: performance.now() + TEMPLATES_CACHE_MS })
      if (parsed.size > MAX_CONTAS) parsed.delete(parsed.keys().next().value ?? '')
      return modelos
    } catch (error) {
      log.warn({ contaId, detalhe: error instanceof Error ? error.message : 'erro' }, 'oficial: template list not read')
      return null
    }
  }
}
const MAX_CONTAS = 200
