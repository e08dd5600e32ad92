import { Counter, Histogram, type Registry } from 'prom-client'

/** How an attempt to send ended: taken, to be repeated as the service asked, refused, or failed. */
export type AttemptOutcome = 'enviada' | 'adiada' | 'recusada' | 'falhou'

export interface BotMetrics {
  readonly countStart: (conector: string) => void
  readonly countReceived: (conector: string) => void
  readonly countSent: (conector: string) => void
  /** A service took the first answer to a customer's message that arrived `seconds` ago. */
  readonly observeAnswer: (conector: string, seconds: number) => void
  readonly observeSend: (conector: string, outcome: AttemptOutcome, seconds: number) => void
  /** The transaction of a batch of messages and events was committed. */
  readonly observeBatch: (seconds: number) => void
  /** A service delivered messages again, and the bot dropped them. */
  readonly countRepeated: (count: number) => void
  /** The bot gave up messages: refused, failed, expired, or reported as undelivered. */
  readonly countUnsent: (count: number) => void
  readonly observeAi: (seconds: number) => void
}

/** In seconds, up to 5 minutes: an answer waits in the send queue while the link is down. */
const ANSWER_BUCKETS_S = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
/** In seconds. An attempt is given up after 30 s. */
const SEND_BUCKETS_S = [0.01, 0.05, 0.25, 0.5, 1, 2, 4, 8, 15, 30]
const BATCH_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** The provider has 15 s. */
const AI_BUCKETS_S = [0.5, 1, 2, 3, 5, 8, 10, 15, 30]

export function createBotMetrics(registers: Registry[]): BotMetrics {
  const times = createTimes(registers)
  const byConnector = (name: string, help: string): Counter<'conector'> =>
    new Counter({ name, help, labelNames: ['conector'], registers })
  const starts = byConnector('balcao_inicios_total', 'Sessions of bots opened by this node')
  const received = byConnector('balcao_conector_recebidas_total', 'Inbound messages stored')
  const sent = byConnector('balcao_conector_enviadas_total', 'Outbound messages that a service took')
  const repeated = new Counter({
    ...{ name: 'balcao_mensagens_repetidas_total', help: 'Inbound messages dropped as repeated', registers },
  })
  const unsent = new Counter({
    ...{ name: 'balcao_mensagens_nao_enviadas_total', help: 'Outbound messages given up', registers },
  })
  return {
    countStart: (conector) => starts.inc({ conector }),
    countReceived: (conector) => received.inc({ conector }),
    countSent: (conector) => sent.inc({ conector }),
    observeAnswer: (conector, seconds) => times.answer.observe({ conector }, seconds),
    observeSend: (conector, fim, seconds) => times.send.observe({ conector, fim }, seconds),
    observeBatch: (seconds) => times.batch.observe(seconds),
    observeAi: (seconds) => times.ai.observe(seconds),
    countRepeated: (count) => repeated.inc(count),
    countUnsent: (count) => unsent.inc(count),
  }
}

function createTimes(registers: Registry[]) {
  return {
    answer: new Histogram({
      ...{ name: 'balcao_resposta_segundos', help: 'Arrival of a message to the acceptance of its first answer' },
      ...{ labelNames: ['conector'], buckets: ANSWER_BUCKETS_S, registers },
    }),
    send: new Histogram({
      ...{ name: 'balcao_envio_segundos', help: 'Attempt to send a message, pacing included' },
      ...{ labelNames: ['conector', 'fim'], buckets: SEND_BUCKETS_S, registers },
    }),
    batch: new Histogram({
      ...{ name: 'balcao_lote_segundos', help: 'Transaction of a batch of messages, wait for a connection included' },
      ...{ buckets: BATCH_BUCKETS_S, registers },
    }),
    ai: new Histogram({
      ...{ name: 'balcao_ia_segundos', help: 'Time of the AI provider per question', buckets: AI_BUCKETS_S, registers },
    }),
  }
}
