import { cpus, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

const MINUTE_MS = 60_000
/** One slot per second of the last minute, enough for a mean. */
const SLOTS = 60
const CPU_SAMPLE_MS = 5_000
const REFUSAL_STATUSES = new Set([401, 403, 429])

/** Measurements of the bot. */
interface BotMetrics {
  /** A service took the first answer to a customer's message that arrived `seconds` ago. */
  readonly observeAnswer: (conector: string, seconds: number) => void
  /** A service delivered messages again, and the bot dropped them. */
  readonly countRepeated: (count: number) => void
  /** The bot gave up messages: refused, failed, expired, or reported as undelivered. */
  readonly countUnsent: (count: number) => void
  /** The AI provider answered or failed. */
  readonly observeAi: (seconds: number) => void
}

/** Metrics of this process. No label names a person or a conta. */
export interface Metrics extends BotMetrics {
  /** Starts to measure: answers, event loop and processor. */
  readonly install: (http: FastifyInstance) => void
  /** Mean answer time of the last minute in seconds; 0 without requests. */
  readonly meanAnswerS: () => number
  readonly cpuPercent: () => number
  /** A password reset was requested for an e-mail that no usuario has. */
  readonly countUnknownReset: () => void
  /** A login was tried with an e-mail that no usuario has. */
  readonly countUnknownLogin: () => void
  /** Prometheus text. `gauges` holds the values that the caller has just read. */
  readonly render: (gauges: Readonly<Record<string, number>>) => Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const labelNames = ['status'] as const
  const answers = new Counter({ name: 'balcao_http_respostas_total', help: 'HTTP answers', labelNames, registers })
  const refusals = new Counter({ name: 'balcao_http_recusas_total', help: 'Refused requests', labelNames, registers })
  const name = 'balcao_redefinicoes_desconhecidas_total'
  const unknownResets = new Counter({ name, help: 'Password resets for unknown e-mails', registers })
  const unknownLogins = new Counter({
    ...{ name: 'balcao_entradas_desconhecidas_total', help: 'Logins with unknown e-mails', registers },
  })
  const gauges = new Map<string, Gauge>()
  const setGauge = (name: string, value: number): void => {
    const gauge = gauges.get(name) ?? new Gauge({ name, help: name.replaceAll('_', ' '), registers })
    gauges.set(name, gauge)
    gauge.set(value)
  }
  let eventLoop: ReturnType<typeof watchEventLoop> | null = null
  let cpu: ReturnType<typeof watchCpu> | null = null
  const answerTimes = new AnswerTimes()

  return {
    ...createBotMetrics(registers),
    install: (http) => {
      eventLoop = watchEventLoop()
      cpu = watchCpu()
      http.addHook('onResponse', async (request, reply) => {
        if (!request.url.startsWith('/api')) return
        answerTimes.add(reply.elapsedTime)
        answers.inc({ status: `${Math.floor(reply.statusCode / 100)}xx` })
        if (REFUSAL_STATUSES.has(reply.statusCode)) refusals.inc({ status: reply.statusCode })
      })
      http.addHook('onClose', async () => {
        eventLoop?.close()
        cpu?.close()
      })
    },
    cpuPercent: () => cpu?.percent() ?? 0,
    countUnknownReset: () => unknownResets.inc(),
    countUnknownLogin: () => unknownLogins.inc(),
    meanAnswerS: () => answerTimes.meanS(),
    render: (values) => {
      for (const [name, value] of Object.entries({ ...eventLoop?.read(), ...processGauges(), ...values }))
        setGauge(name, value)
      return registry.metrics()
    },
  }
}

/** In seconds, up to 5 minutes: an answer waits in the send queue while the link is down. */
const ANSWER_BUCKETS_S = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
/** The provider has 15 s. */
const AI_BUCKETS_S = [0.5, 1, 2, 3, 5, 8, 10, 15, 30]

function createBotMetrics(registers: Registry[]): BotMetrics {
  const answer = new Histogram({
    ...{ name: 'balcao_resposta_segundos', help: 'Arrival of a message to the acceptance of its first answer' },
    ...{ labelNames: ['conector'] as const, buckets: ANSWER_BUCKETS_S, registers },
  })
  const ai = new Histogram({
    ...{ name: 'balcao_ia_segundos', help: 'Time of the AI provider per question', buckets: AI_BUCKETS_S, registers },
  })
  const repeated = new Counter({
    ...{ name: 'balcao_mensagens_repetidas_total', help: 'Inbound messages dropped as repeated', registers },
  })
  const unsent = new Counter({
    ...{ name: 'balcao_mensagens_nao_enviadas_total', help: 'Outbound messages given up', registers },
  })
  return {
    observeAnswer: (conector, seconds) => answer.observe({ conector }, seconds),
    observeAi: (seconds) => ai.observe(seconds),
    countRepeated: (count) => repeated.inc(count),
    countUnsent: (count) => unsent.inc(count),
  }
}

/** Number and sum of the answer times, per second of the last minute. */
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

function processGauges(): Record<string, number> {
  return {
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_uptime_seconds: process.uptime(),
  }
}

/** Delay of the event loop since the last reading. */
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
