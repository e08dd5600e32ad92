import type { FastifyBaseLogger } from 'fastify'
import type { ConnectorFactory } from '#ports/messaging.ts'
import type { DiarioOficial, ServicoOficial } from '#ports/oficial.ts'
import { lerAviso } from './aviso.ts'
import { createGraph } from './graph.ts'
import { createSessao, type TemposOficial } from './sessao.ts'

export interface OficialOptions extends TemposOficial {
  /** Without a version. From the environment alone: no account chooses where its token goes. */
  readonly baseUrl?: string | undefined
  readonly diario: DiarioOficial
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** WhatsApp Business Cloud API: Meta's own way in, for those who have a number there. */
export function createOficial({ baseUrl, diario, log, ...tempos }: OficialOptions): {
  readonly factory: ConnectorFactory
  readonly servico: ServicoOficial
} {
  const graph = createGraph(baseUrl)
  return {
    factory: (host) => {
      const { contaId } = host
      // Of an error only our own words: a vendor's may repeat what was sent.
      const registrar = (erro: unknown, oQue: string): void =>
        log.warn(
          { contaId, detalhe: erro instanceof Error ? `${erro.name}: ${erro.message}` : 'erro' },
          `oficial: ${oQue}`,
        )
      return createSessao(host, { graph, diario, registrar, ...tempos })
    },
    servico: { lerAviso },
  }
}
