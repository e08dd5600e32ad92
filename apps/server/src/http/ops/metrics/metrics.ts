import { cpus, hostname, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'
import type { FencedWrite } from '#ports/bots.ts'
import type { BusMetrics } from '#ports/bus.ts'
import { type BotMetrics, createBotMetrics } from './bot-metrics.ts'
import { type GaugeReading, createGauges } from './gauges.ts'

const MINUTE_MS = 60_000
/** The mean answer time covers the last minute, in slots of a second. */
const SLOTS = 60
const REFUSAL_STATUSES = new Set([401, 403, 429])
const HTTP_BUCKETS_S = [0.01, 0.05, 0.1, 0.5, 2, 10]
/** `rota` of requests that match no route. Their paths are text of the client. */
const UNKNOWN_ROUTE = 'desconhecida'

interface AnswerMeasures {
  readonly install: (http: FastifyInstance) => void
  /** Mean answer time of the last minute in seconds; 0 without requests. */
  readonly meanS: () => number
}

/** Counts and times the answers below `/api`, by the pattern of the route. Call `install` once. */
function measureAnswers(registers: Registry[]): AnswerMeasures {
  const labelNames = ['status'] as const
  const answers = new Counter({ name: 'balcao_http_respostas_total', help: 'HTTP answers', labelNames, registers })
  const refusals = new Counter({ name: 'balcao_http_recusas_total', help: 'Refused requests', labelNames, registers })
  const times = new Histogram({
    ...{ name: 'balcao_http_segundos', help: 'HTTP answer times by route pattern' },
    ...{ labelNames: ['rota', 'metodo', 'classe'] as const, buckets: HTTP_BUCKETS_S, registers },
  })
  const answerTimes = new AnswerTimes()
  return {
    meanS: () => answerTimes.meanS(),
    install: (http) => {
      http.addHook('onResponse', async (request, reply) => {
        if (!request.url.startsWith('/api')) return
        const { elapsedTime, statusCode } = reply
        const classe = `${Math.floor(statusCode / 100)}xx`
        const rota = request.is404 ? UNKNOWN_ROUTE : (request.routeOptions.url ?? UNKNOWN_ROUTE)
        answerTimes.add(elapsedTime)
        answers.inc({ status: classe })
        times.observe({ rota, metodo: request.method, classe }, elapsedTime / 1_000)
        if (REFUSAL_STATUSES.has(statusCode)) refusals.inc({ status: statusCode })
      })
    },
  }
}

class AnswerTimes {
  readonly #slots = Array.from({ length: SLOTS }, () => ({ second: -1, answers: 0, sumMs: 0 }))

  add(ms: number): void {
    const second = Math.floor(performance.now() / 1000)
    const slot = this.#slots[second % SLOTS]
    if (slot === undefined) return
    if (slot.second !== second) {
      slot.second = second
      slot.answers = 0
      slot.sumMs = 0
    }
    slot.answers += 1
    slot.sumMs += ms
  }

  meanS(): number {
    const since = Math.floor((performance.now() - MINUTE_MS) / 1000)
    const recent = this.#slots.filter(({ second }) => second >= since && second >= 0)
    const count = recent.reduce((sum, slot) => sum + slot.answers, 0)
    return count === 0 ? 0 : recent.reduce((sum, slot) => sum + slot.sumMs, 0) / count / 1000
  }
}

const CPU_SAMPLE_MS = 5_000

function readProcess(): Record<string, number> {
  return {
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_uptime_seconds: process.uptime(),
    process_start_time_seconds: performance.timeOrigin / 1_000,
  }
}

function countCpuTime(registers: Registry[]): void {
  const name = 'process_cpu_seconds_total'
  new Counter({
    ...{ name, help: 'Processor time of this process, user and system', registers },
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1_000_000)
    },
  })
}

function watchEventLoop(): { readonly read: () => Record<string, number>; readonly close: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const seconds = (nano: number): number => (Number.isFinite(nano) ? nano / 1e9 : 0)
  return {
    read: () => {
      const gauges = {
        balcao_event_loop_lag_seconds: seconds(delay.mean),
        balcao_event_loop_lag_p99_seconds: seconds(delay.percentile(99)),
        balcao_event_loop_lag_max_seconds: seconds(delay.max),
      }
      delay.reset()
      return gauges
    },
    close: () => void delay.disable(),
  }
}

function watchCpu(): { readonly percent: () => number; readonly close: () => void } {
  let before = cpuTimes()
  let busy = Math.min(1, (loadavg()[0] ?? 0) / cpus().length)
  const timer = setInterval(() => {
    const now = cpuTimes()
    const total = now.total - before.total
    if (total > 0) busy = 1 - (now.idle - before.idle) / total
    before = now
  }, CPU_SAMPLE_MS).unref()
  return { percent: () => Math.min(100, Math.max(0, busy * 100)), close: () => clearInterval(timer) }
}

function cpuTimes(): { readonly total: number; readonly idle: number } {
  let total = 0
  let idle = 0
  for (const { times } of cpus()) {
    total += times.user + times.nice + times.sys + times.idle + times.irq
    idle += times.idle
  }
  return { total, idle }
}

interface NodeMetrics extends BusMetrics {
  readonly busTotals: () => { readonly recebidos: number; readonly lacunas: number }
  /** A bot was connected `seconds` after this node took it. */
  readonly observeTakeover: (conector: string, seconds: number) => void
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

function createNodeMetrics(registers: Registry[]): NodeMetrics {
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

/** Metrics of this process. No label names a person or a conta. */
export interface Metrics extends BotMetrics, NodeMetrics {
  readonly install: (http: FastifyInstance) => void
  readonly meanAnswerS: () => number
  readonly cpuPercent: () => number
  readonly countUnknownReset: () => void
  readonly countUnknownLogin: () => void
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
