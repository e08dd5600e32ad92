import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'
import { type BotMetrics, createBotMetrics } from './bot-metrics.ts'
import { createGauges, type GaugeReading } from './gauges.ts'
import { measureAnswers } from './http-metrics.ts'
import { createNodeMetrics, type NodeMetrics } from './node-metrics.ts'
import { countCpuTime, readProcess, watchCpu, watchEventLoop } from './process.ts'

/** Metrics of this process. No label names a person or a conta. */
export interface Metrics extends BotMetrics, NodeMetrics {
  /** Starts to measure: answers, event loop and processor. */
  readonly install: (http: FastifyInstance) => void
  /** Mean answer time of the last minute in seconds; 0 without requests. */
  readonly meanAnswerS: () => number
  readonly cpuPercent: () => number
  /** A password reset was requested for an e-mail that no usuario has. */
  readonly countUnknownReset: () => void
  /** A login was tried with an e-mail that no usuario has. */
  readonly countUnknownLogin: () => void
  /** The database answered a COMMIT after `seconds`. */
  readonly observeCommit: (seconds: number) => void
  /** This node shows the gauges of the database for `ms`, because it leads the task that reads these sums. */
  readonly leadsDatabase: (ms: number, totals: GaugeReading['values']) => void
  /** Null: another node shows the gauges of the database. */
  readonly databaseTotals: () => GaugeReading['values'] | null
  /** Prometheus text. `reading` holds the values that the caller has just read. */
  readonly render: (reading: GaugeReading) => Promise<string>
}

/** In seconds. A COMMIT waits for the disk, and with a synchronous standby for the network. */
const COMMIT_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** `node` is the label `no` of every series. Default: the name of the machine. */
export function createMetrics(node = hostname()): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ no: node })
  const registers = [registry]
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers })
  const unknownResets = counter('balcao_redefinicoes_desconhecidas_total', 'Password resets for unknown e-mails')
  const unknownLogins = counter('balcao_entradas_desconhecidas_total', 'Logins with unknown e-mails')
  const commits = new Histogram({
    ...{ name: 'balcao_commit_segundos', help: 'End of the work of a transaction to the answer of its COMMIT' },
    ...{ buckets: COMMIT_BUCKETS_S, registers },
  })
  const answers = measureAnswers(registers)
  const gauges = createGauges(registers)
  countCpuTime(registers)
  let eventLoop: ReturnType<typeof watchEventLoop> | null = null
  let lead: { readonly until: number; readonly totals: GaugeReading['values'] } | null = null
  let cpu: ReturnType<typeof watchCpu> | null = null

  return {
    ...createBotMetrics(registers),
    ...createNodeMetrics(registers),
    install: (http) => {
      eventLoop = watchEventLoop()
      cpu = watchCpu()
      answers.install(http)
      http.addHook('onClose', async () => {
        eventLoop?.close()
        cpu?.close()
      })
    },
    cpuPercent: () => cpu?.percent() ?? 0,
    countUnknownReset: () => unknownResets.inc(),
    countUnknownLogin: () => unknownLogins.inc(),
    observeCommit: (seconds) => commits.observe(seconds),
    leadsDatabase: (ms, totals) => void (lead = { until: performance.now() + ms, totals }),
    databaseTotals: () => (lead !== null && performance.now() < lead.until ? lead.totals : null),
    meanAnswerS: () => answers.meanS(),
    render: ({ values, sessions }) => {
      gauges.set({ values: { ...eventLoop?.read(), ...readProcess(), ...values }, sessions })
      return registry.metrics()
    },
  }
}
