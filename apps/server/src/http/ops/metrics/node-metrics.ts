import { Counter, Histogram, type Registry } from 'prom-client'
import type { FencedWrite } from '#ports/bots.ts'
import type { BusMetrics } from '#ports/bus.ts'

/** Measurements of this node among the others. */
export interface NodeMetrics extends BusMetrics {
  /** Frames received and gaps since the start. */
  readonly busTotals: () => { readonly recebidos: number; readonly lacunas: number }
  /** A bot was connected `seconds` after this node took it. */
  readonly observeTakeover: (conector: string, seconds: number) => void
  /** This node found others dead. */
  readonly countCondemned: (count: number) => void
  /** The database refused writes because another lease had taken the bots. */
  readonly countFenced: (kind: FencedWrite, count: number) => void
}

/** In seconds. */
const FRAME_BUCKETS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
const FENCED_WRITES: readonly FencedWrite[] = [
  ...(['estado', 'credenciais', 'chaves', 'envio', 'tentativa', 'falha', 'silencio'] as const),
]
const TAKEOVER_BUCKETS_S = [0.25, 0.5, 1, 2, 5, 10, 20, 30, 60]

export function createNodeMetrics(registers: Registry[]): NodeMetrics {
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers })
  const frames = new Counter({
    ...{ name: 'balcao_recados_total', help: 'Frames between nodes', labelNames: ['sentido'] as const, registers },
  })
  const gaps = counter('balcao_recados_lacunas_total', 'Times that frames of other nodes may have been lost')
  const condemned = counter('balcao_nos_condenados_total', 'Other nodes that this node found dead')
  const fenced = new Counter({
    ...{ name: 'balcao_escritas_recusadas_total', help: 'Writes refused because another lease has taken the bot' },
    ...{ labelNames: ['tipo'] as const, registers },
  })
  // A series that begins above 0 hides its first increase from the alert.
  for (const tipo of FENCED_WRITES) fenced.inc({ tipo }, 0)
  const delays = new Histogram({
    ...{ name: 'balcao_recado_segundos', help: 'Publication of a frame to its arrival on another node' },
    ...{ buckets: FRAME_BUCKETS_S, registers },
  })
  const takeovers = new Histogram({
    ...{ name: 'balcao_tomada_segundos', help: 'Taking of a bot to its connection', labelNames: ['conector'] as const },
    ...{ buckets: TAKEOVER_BUCKETS_S, registers },
  })
  let recebidos = 0
  let lacunas = 0
  return {
    countFrame: (sentido) => {
      if (sentido === 'recebido') recebidos += 1
      frames.inc({ sentido })
    },
    observeFrame: (seconds) => delays.observe(seconds),
    countGap: () => {
      lacunas += 1
      gaps.inc()
    },
    busTotals: () => ({ recebidos, lacunas }),
    observeTakeover: (conector, seconds) => takeovers.observe({ conector }, seconds),
    countCondemned: (count) => condemned.inc(count),
    countFenced: (tipo, count) => fenced.inc({ tipo }, count),
  }
}
