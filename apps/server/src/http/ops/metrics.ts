import { cpus, loadavg } from 'node:os'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'

const MINUTE_MS = 60_000
/** One slot per second of the last minute, enough for a mean. */
const SLOTS = 60
const CPU_SAMPLE_MS = 5_000
const REFUSAL_STATUSES = new Set([401, 403, 429])

interface SecondSlot {
  second: number
  answers: number
  sumMs: number
}

/** Metrics of this process. No label names a person or a conta. */
interface Metrics {
  readonly install: (http: FastifyInstance) => void
  /** Mean answer time of the last minute in seconds; 0 without requests. */
  readonly meanAnswerS: () => number
  readonly cpuPercent: () => number
  readonly render: (gauges: Readonly<Record<string, number>>) => string
}

const metricsByOwner = new WeakMap<object, Metrics>()

/** Returns the metrics of one composition of dependencies, created on the first call. */
export function metricsOf(owner: object): Metrics {
  const existing = metricsByOwner.get(owner)
  if (existing !== undefined) return existing
  const fresh = createMetrics()
  metricsByOwner.set(owner, fresh)
  return fresh
}

function createMetrics(): Metrics {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const respostas = new Map<string, number>()
  const refusals = new Map<string, number>()
  const cpu = watchCpu()
  const fatias: SecondSlot[] = Array.from({ length: SLOTS }, () => ({ second: -1, answers: 0, sumMs: 0 }))

  const time = (ms: number): void => {
    const segundo = Math.floor(performance.now() / 1000)
    const slice = fatias[segundo % SLOTS]
    if (slice === undefined) return
    if (slice.second !== segundo) Object.assign(slice, { second: segundo, answers: 0, sumMs: 0 })
    slice.answers += 1
    slice.sumMs += ms
  }

  return {
    install: (http) => {
      http.addHook('onResponse', async (request, reply) => {
        if (!request.url.startsWith('/api')) return
        time(reply.elapsedTime)
        add(respostas, `{status="${Math.floor(reply.statusCode / 100)}xx"}`)
        if (REFUSAL_STATUSES.has(reply.statusCode)) add(refusals, `{status="${reply.statusCode}"}`)
      })
      http.addHook('onClose', async () => {
        delay.disable()
        cpu.close()
      })
    },
    cpuPercent: cpu.percentual,
    meanAnswerS: () => {
      const since = Math.floor((performance.now() - MINUTE_MS) / 1000)
      const recent = fatias.filter(({ second }) => second >= since && second >= 0)
      const count = recent.reduce((sum, slice) => sum + slice.answers, 0)
      return count === 0 ? 0 : recent.reduce((sum, slice) => sum + slice.sumMs, 0) / count / 1000
    },
    render: (gauges) => {
      const lines = [
        ...family('balcao_http_respostas_total', 'counter', [...respostas]),
        ...family('balcao_http_recusas_total', 'counter', [...refusals]),
        ...Object.entries({ ...processGauges(delay), ...gauges }).flatMap(([nome, n]) =>
          family(nome, 'gauge', [['', n]]),
        ),
      ]
      delay.reset()
      return `${lines.join('\n')}\n`
    },
  }
}

function add(counts: Map<string, number>, label: string): void {
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

function processGauges(lag: IntervalHistogram): Record<string, number> {
  const seconds = (nano: number): number => (Number.isFinite(nano) ? nano / 1e9 : 0)
  return {
    balcao_event_loop_lag_seconds: seconds(lag.mean),
    balcao_event_loop_lag_p99_seconds: seconds(lag.percentile(99)),
    balcao_event_loop_lag_max_seconds: seconds(lag.max),
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_uptime_seconds: process.uptime(),
  }
}

function family(name: string, type: string, values: readonly (readonly [string, number])[]): string[] {
  return values.length === 0 ? [] : [`# TYPE ${name} ${type}`, ...values.map(([rotulo, n]) => `${name}${rotulo} ${n}`)]
}

function watchCpu(): { readonly percentual: () => number; readonly close: () => void } {
  let before = cpuTimes()
  let busy = Math.min(1, (loadavg()[0] ?? 0) / cpus().length)
  const timer = setInterval(() => {
    const agora = cpuTimes()
    const total = agora.total - before.total
    if (total > 0) busy = 1 - (agora.parada - before.parada) / total
    before = agora
  }, CPU_SAMPLE_MS).unref()
  return { percentual: () => Math.min(100, Math.max(0, busy * 100)), close: () => clearInterval(timer) }
}

function cpuTimes(): { readonly total: number; readonly parada: number } {
  let total = 0
  let parada = 0
  for (const { times } of cpus()) {
    total += times.user + times.nice + times.sys + times.idle + times.irq
    parada += times.idle
  }
  return { total, parada }
}
