import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'

const MINUTE_MS = 60_000
/** The mean answer time covers the last minute, in slots of a second. */
const SLOTS = 60
const REFUSAL_STATUSES = new Set([401, 403, 429])
const HTTP_BUCKETS_S = [0.01, 0.05, 0.1, 0.5, 2, 10]
/** `rota` of requests that match no route. Their paths are text of the client. */
const UNKNOWN_ROUTE = 'desconhecida'

export interface AnswerMeasures {
  readonly install: (http: FastifyInstance) => void
  /** Mean answer time of the last minute in seconds; 0 without requests. */
  readonly meanS: () => number
}

/** Counts and times the answers below `/api`, by the pattern of the route. Call `install` once. */
export function measureAnswers(registers: Registry[]): AnswerMeasures {
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
