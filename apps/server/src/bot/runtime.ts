import { LRUCache } from 'lru-cache'
import type { InboundMessage } from '@balcao/connector/port'
import type { ApplyEventIn, SendEventIn } from '#deps.ts'
import { Batcher } from '#lib/queue/batcher.ts'
import { waitAtMost } from '#lib/time.ts'
import type { Bots, BuildEvent } from '#ports/bots.ts'
import type { SimulatedPhones } from '#ports/simulador.ts'
import { AiQuestions } from './ai/questions.ts'
import type { BotDeps, LeavingPlan } from './deps.ts'
import { AddressJoins } from './identity/addresses.ts'
import { MensagemAnnouncer } from './outbox/announce.ts'
import { Receipts, SentMarker } from './outbox/delivery.ts'
import { WorkPoll } from './poll.ts'
import { Nodes } from './session/ask-owner.ts'
import { BotCommands } from './session/commands.ts'
import { SessionRegistry } from './session/registry.ts'
import { BotStatuses } from './session/status.ts'
import { runBatch, TurnRetries } from './turn/batch.ts'
import { AccountContexts } from './context.ts'
import { ContatoFinder } from './turn/find-contatos.ts'
import { handleMessage, sendEventIn, type TurnDeps } from './turn/handle-message.ts'
import type { AnsweredQuestion, Turn } from './turn/types.ts'

const BATCH_MAX = 100
const PARALLEL_BATCHES = 4
const CONTAS_CACHED = 5_000
/** After a refusal, answers of this conta are marked `limite` for 1 s without reading the counter. */
const FULL_MS = 1_000
/** Within the 10 s of a shutdown, so that a long queue leaves time to release the leases. */
const DRAIN_MS = 3_000

export interface BotRuntime {
  readonly bots: Bots
  readonly phones: SimulatedPhones
  /** Stores and answers one inbound message. Resolves after the commit. */
  readonly receive: (contaId: string, channel: string, message: InboundMessage) => Promise<void>
  /** Queues another event of a contato. Resolves after the commit. */
  readonly applyEvent: (contaId: string, contatoId: string, event: BuildEvent) => Promise<void>
  readonly applyEventIn: ApplyEventIn
  readonly sendEventIn: SendEventIn
  readonly start: () => Promise<void>
  /** Prepares a stop: the node becomes not ready and other nodes take its bots. Without a plan it does nothing. */
  readonly leave: (plan?: LeavingPlan) => Promise<void>
  readonly stop: () => Promise<void>
  readonly idle: () => Promise<void>
}

export interface RuntimeOptions {
  /** Batch size and parallel batches. The benchmarks vary them. */
  readonly batchMax?: number
  readonly parallelBatches?: number
}

/** Builds the parts of the bot. Their callbacks run only after `start`. */
export function createBotRuntime(deps: BotDeps, options: RuntimeOptions = {}): BotRuntime {
  const { batchMax = BATCH_MAX, parallelBatches = PARALLEL_BATCHES } = options
  const contexts = new AccountContexts(deps)
  const contatos = new ContatoFinder(deps)
  const fullContas = new LRUCache<string, true>({ max: CONTAS_CACHED, ttl: FULL_MS, ttlResolution: 0 })
  const sentMarker = new SentMarker(deps)
  const announcer = new MensagemAnnouncer(deps)
  const addresses = new AddressJoins(deps, { contatos, announcer })
  const receipts = new Receipts(deps, announcer)
  const statuses = new BotStatuses(deps, contexts)
  const retries = new TurnRetries()
  const queue = new Batcher<Turn>({
    max: batchMax,
    slots: parallelBatches,
    groupOf: ({ contaId }) => contaId,
    express: true,
    alone: (contaId) => retries.isAlone(contaId),
    handleBatch: (turns) => runBatch(bot, retries, turns),
  })
  const questions = new AiQuestions(deps, {
    contexts,
    answer: ({ contaId, contatoId }, answered) => queueAnswer(queue, { contaId, contatoId }, answered),
  })
  const receive: BotRuntime['receive'] = (contaId, channel, message) => handleMessage(bot, contaId, channel, message)
  const sessions = new SessionRegistry(deps, {
    ...{ sentMarker, announcer, receipts, receive },
    whatsappOf: async (contaId) => (await contexts.get(contaId)).config.whatsapp,
    identity: (contaId, notice) => addresses.announced(contaId, notice),
    customerTyping: (contaId, canonical) => commands.customerTyping(contaId, canonical),
    publishStatus: (contaId) => statuses.publish(contaId),
    released: (contaId) => questions.release(contaId),
    taken: (contaId) => questions.recover(contaId),
  })
  const nodes = new Nodes(deps, { sessions, receiver: () => commands })
  const turnParts = { contexts, contatos, addresses, fullContas, sessions, statuses, questions, nodes }
  const bot: TurnDeps = { ...deps, ...turnParts, queue }
  const commands = new BotCommands(deps, turnParts)

  const poll = new WorkPoll(deps, { sessions, questions })
  return {
    bots: commands,
    phones: async (contaId, order) => (await nodes.askOwner(contaId, { tipo: 'phone', order }))?.done ?? false,
    receive,
    applyEvent: (contaId, contatoId, event) => queueEvent(queue, { contaId, contatoId }, event),
    ...eventsInTransactions(bot),
    ...lifecycle(deps, { queue, sentMarker, receipts, announcer, sessions, nodes, questions, poll }),
  }
}

interface RunningParts {
  readonly queue: Batcher<Turn>
  readonly sentMarker: SentMarker
  readonly receipts: Receipts
  readonly announcer: MensagemAnnouncer
  readonly sessions: SessionRegistry
  readonly nodes: Nodes
  readonly questions: AiQuestions
  readonly poll: WorkPoll
}

function lifecycle({ timings }: BotDeps, parts: RunningParts): Pick<BotRuntime, 'start' | 'leave' | 'stop' | 'idle'> {
  const { queue, sentMarker, receipts, announcer, sessions, nodes, questions, poll } = parts
  const written = async (): Promise<void> => {
    await receipts.idle()
    await announcer.idle()
  }
  return {
    start: () => {
      poll.start()
      return sessions.start()
    },
    leave: (plan) => sessions.leave(plan),
    stop: async () => {
      nodes.stop()
      poll.stop()
      questions.stop()
      await waitAtMost(timings?.drainMs ?? DRAIN_MS, queue.idle())
      await sentMarker.idle()
      await sessions.stop()
      await written()
    },
    idle: async () => {
      await queue.idle()
      await sentMarker.idle()
      await written()
    },
  }
}

interface ContatoRef {
  readonly contaId: string
  readonly contatoId: string
}

function queueEvent(
  queue: Pick<Batcher<Turn>, 'add'>,
  { contaId, contatoId }: ContatoRef,
  event: BuildEvent,
  answered?: AnsweredQuestion,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = { tipo: 'evento', key: `${contaId}#${contatoId}`, contaId, contatoId, event, resolve, reject } as const
    queue.add(answered === undefined ? turn : { ...turn, answered })
  })
}

/** The answer of the AI returns as an event of the contato. */
function queueAnswer(
  queue: Pick<Batcher<Turn>, 'add'>,
  contato: ContatoRef,
  answered: AnsweredQuestion,
): Promise<void> {
  const { perguntaId, answer: resultado } = answered
  return queueEvent(queue, contato, (base) => ({ tipo: 'respostaIa', perguntaId, resultado, ...base }), answered)
}

function eventsInTransactions(bot: TurnDeps): Pick<BotRuntime, 'applyEventIn' | 'sendEventIn'> {
  return {
    applyEventIn: async (tx, contaId, contatoId, event) => {
      const { stored } = await sendEventIn(tx, bot, { contaId, contatoId }, event)
      await stored
    },
    sendEventIn: (tx, ref, event) => sendEventIn(tx, bot, ref, event),
  }
}
