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
  const existentes = metricsByOwner.get(owner)
  if (existentes !== undefined) return existentes
  const novas = createMetrics()
  metricsByOwner.set(owner, novas)
  return novas
}

function createMetrics(): Metrics {
  const atraso = monitorEventLoopDelay({ resolution: 20 })
  atraso.enable()
  const respostas = new Map<string, number>()
  const recusas = new Map<string, number>()
  const cpu = watchCpu()
  const fatias: SecondSlot[] = Array.from({ length: SLOTS }, () => ({ second: -1, answers: 0, sumMs: 0 }))

  const time = (ms: number): void => {
    const segundo = Math.floor(performance.now() / 1000)
    const fatia = fatias[segundo % SLOTS]
    if (fatia === undefined) return
    if (fatia.second !== segundo) Object.assign(fatia, { segundo, respostas: 0, somaMs: 0 })
    fatia.answers += 1
    fatia.sumMs += ms
  }

  return {
    install: (http) => {
      http.addHook('onResponse', async (request, reply) => {
        if (!request.url.startsWith('/api')) return
        time(reply.elapsedTime)
        add(respostas, `{status="${Math.floor(reply.statusCode / 100)}xx"}`)
        if (REFUSAL_STATUSES.has(reply.statusCode)) add(recusas, `{status="${reply.statusCode}"}`)
      })
      http.addHook('onClose', async () => {
        atraso.disable()
        cpu.close()
      })
    },
    cpuPercent: cpu.percentual,
    meanAnswerS: () => {
      const desde = Math.floor((performance.now() - MINUTE_MS) / 1000)
      const recentes = fatias.filter(({ second }) => second >= desde && second >= 0)
      const quantas = recentes.reduce((soma, fatia) => soma + fatia.answers, 0)
      return quantas === 0 ? 0 : recentes.reduce((soma, fatia) => soma + fatia.sumMs, 0) / quantas / 1000
    },
    render: (gauges) => {
      const linhas = [
        ...family('balcao_http_respostas_total', 'counter', [...respostas]),
        ...family('balcao_http_recusas_total', 'counter', [...recusas]),
        ...Object.entries({ ...processGauges(atraso), ...gauges }).flatMap(([nome, n]) =>
          family(nome, 'gauge', [['', n]]),
        ),
      ]
      atraso.reset()
      return `${linhas.join('\n')}\n`
    },
  }
}

function add(counts: Map<string, number>, label: string): void {
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

function processGauges(lag: IntervalHistogram): Record<string, number> {
  const segundos = (nano: number): number => (Number.isFinite(nano) ? nano / 1e9 : 0)
  return {
    balcao_event_loop_lag_seconds: segundos(lag.mean),
    balcao_event_loop_lag_p99_seconds: segundos(lag.percentile(99)),
    balcao_event_loop_lag_max_seconds: segundos(lag.max),
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_uptime_seconds: process.uptime(),
  }
}

function family(name: string, type: string, values: readonly (readonly [string, number])[]): string[] {
  return values.length === 0
    ? []
    : [`# TYPE ${name} ${type}`, ...values.map(([rotulo, n]) => `${name}${rotulo} ${n}`)]
}

function watchCpu(): { readonly percentual: () => number; readonly close: () => void } {
  let antes = cpuTimes()
  let ocupada = Math.min(1, (loadavg()[0] ?? 0) / cpus().length)
  const timer = setInterval(() => {
    const agora = cpuTimes()
    const total = agora.total - antes.total
    if (total > 0) ocupada = 1 - (agora.parada - antes.parada) / total
    antes = agora
  }, CPU_SAMPLE_MS).unref()
  return { percentual: () => Math.min(100, Math.max(0, ocupada * 100)), close: () => clearInterval(timer) }
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
