import type { Tx } from '#db/transaction.ts'
import type { Bots } from '#ports/bots.ts'
import type { InboundMessage } from '@balcao/connector/port'
import type { Simulador } from '#ports/simulador.ts'
import { applyChange, addressKey, canonicalAddress } from '#modules/conversas/index.ts'
import { createBatcher } from '#lib/batcher.ts'
import { BOTS_CHANNEL, CONTEXT_CHANNEL, FORGET_CHANNEL, createBotsPort } from './session/commands.ts'
import { createPairingCodes } from './session/pairing.ts'
import { createAccountContexts } from './turn/context.ts'
import { createTyping } from './session/typing.ts'
import { createForgetContato, parseForgottenContato } from './session/forget-contato.ts'
import { createBatchHandler } from './turn/handle-event.ts'
import { createAddressJoins } from './turn/address-joins.ts'
import { cleanMessage } from './turn/clean.ts'
import { createSentMarker } from './outbox/delivery.ts'
import { createAiQuestions } from './ai/questions.ts'
import { createMensagemAnnouncer } from './outbox/announce.ts'
import { createReceipts } from './outbox/receipts.ts'
import { createRunEffects } from './turn/effects.ts'
import type { BotDeps } from './deps.ts'
import { createSessionRegistry } from './session/registry.ts'
import { createSimuladorPort } from './simulador.ts'
import type { AnsweredQuestion, Turn, EventTurn } from './turn/types.ts'

const BATCH_MAX = 100
const FROM_OPERADOR = { typing: false, attempts: 0, attended: true } as const
const PARALLEL_BATCHES = 4

export interface BotRuntime {
  readonly bots: Bots
  readonly simulador: Simulador
  /**
   * Stores and answers one inbound message. Resolves after the commit. A repeated message resolves too and changes
   * nothing.
   */
  readonly receive: (contaId: string, canal: string, mensagem: InboundMessage) => Promise<void>
  /** Queues another event of a contato. Resolves after the commit. */
  readonly applyEvent: (contaId: string, contatoId: string, evento: EventTurn['event']) => Promise<void>
  /** Applies the event inside the caller's transaction, which must not hold a lock on the conversa of this contato. */
  readonly applyEventIn: (tx: Tx, contaId: string, contatoId: string, evento: EventTurn['event']) => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly idle: () => Promise<void>
}

export interface RuntimeOptions {
  /** Batch size and parallel batches. The benchmarks vary them. */
  readonly batchMax?: number
  readonly parallelBatches?: number
}

export function createBotRuntime(deps: BotDeps, { batchMax, parallelBatches }: RuntimeOptions = {}): BotRuntime {
  const { bus, log } = deps
  const contextos = createAccountContexts(deps)
  const marker = createSentMarker(deps)
  const states = createMensagemAnnouncer(deps)
  const receipts = createReceipts(deps, states.changed)

  const sessions = createSessionRegistry(deps, {
    sentMarker: marker,
    whatsappOf: async (contaId) => (await contextos.get(contaId)).config.whatsapp,
    receive: (contaId, canal, mensagem) => receber(contaId, canal, mensagem),
    change: async (contaId, canal, alteracao) => {
      const id = await applyChange(deps, { contaId, channel: canal, change: alteracao })
      if (id !== null) states.marked(contaId, id)
      return id !== null
    },
    receipt: receipts.add,
    customerTyping: (contaId, canonico) => digitando.fromCustomer(contaId, canonico),
    publishStatus: (contaId) => bots.publishStatus(contaId),
    taken: (contaId) => perguntas.recover(contaId),
    mensagemChanged: states.changed,
    mensagemMarked: states.marked,
  })
  const digitando = createTyping(deps, sessions)
  const acordarOutroNo = (contaId: string): void => bus.publish(BOTS_CHANNEL, contaId)
  const perguntas = createAiQuestions(deps, {
    contexts: contextos,
    answer: ({ contaId, contatoId }, respondida) => {
      const { perguntaId, answer: resultado } = respondida
      const evento: EventTurn['event'] = (base) => ({ tipo: 'respostaIa', perguntaId, resultado, ...base })
      return acontecer(contaId, contatoId, evento, respondida)
    },
  })
  const effects = createRunEffects(deps, { sessions, questions: perguntas, wakeOtherNode: acordarOutroNo })
  const handler = createBatchHandler(deps, {
    contexts: contextos,
    afterCommit: (decisions) => {
      effects(decisions)
      for (const contaId of new Set(decisions.map((decision) => decision.contaId))) bots.listsChanged(contaId)
    },
  })
  const juncoes = createAddressJoins(deps, { forget: handler.forgetAddress })
  const batcher = createBatcher<Turn>({
    max: batchMax ?? BATCH_MAX,
    slots: parallelBatches ?? PARALLEL_BATCHES,
    handleBatch: handler.handleBatch,
  })

  const esquecerContexto = (contaId: string): void => {
    contextos.changed(contaId)
    handler.contextChanged(contaId)
  }
  const wake = (contaId: string): void => {
    sessions.check(contaId).catch((error: unknown) => log.warn({ err: error, contaId }, 'bus event not applied'))
  }
  const esquecerContato = createForgetContato({
    sessions,
    questions: perguntas,
    handler,
    joins: juncoes,
    bots: () => bots,
    log,
  })
  const assinaturas = [
    bus.subscribe(CONTEXT_CHANNEL, esquecerContexto),
    bus.subscribe(BOTS_CHANNEL, wake),
    bus.subscribe(FORGET_CHANNEL, (data) => {
      const forgotten = parseForgottenContato(data)
      if (forgotten !== null) esquecerContato(forgotten)
    }),
  ]

  const codes = createPairingCodes(deps, sessions)
  const bots = createBotsPort(deps, {
    sessions,
    contexts: contextos,
    pairingCode: codes.request,
    typing: digitando.fromOperador,
    forgetContato: (contaId, contato) => {
      esquecerContato({ contaId, ...contato })
      bus.publish(FORGET_CHANNEL, JSON.stringify({ contaId, ...contato }))
    },
    contextChanged: (contaId) => {
      esquecerContexto(contaId)
      bus.publish(CONTEXT_CHANNEL, contaId)
    },
    outboxAdded: (contaId, fresh) => {
      bots.listsChanged(contaId)
      const session = sessions.get(contaId)
      if (session === undefined) acordarOutroNo(contaId)
      else session.queue.add(fresh.map((nova) => ({ ...nova, contaId, ...FROM_OPERADOR })))
    },
  })

  const receber: BotRuntime['receive'] = (contaId, canal, raw) => {
    if (raw.grupo === true) return Promise.resolve()
    const mensagem = cleanMessage(raw)
    const canonico = canonicalAddress(mensagem.telefone, mensagem.endereco)
    deps.crashPoint('entrada.recebida')
    const enqueue = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const chave = addressKey(contaId, canonico)
        batcher.add({
          tipo: 'mensagem',
          key: chave,
          contaId,
          channel: canal,
          canonical: canonico,
          message: mensagem,
          resolve,
          reject,
        })
      })
    const together = juncoes.before(contaId, mensagem)
    if (together === null) return enqueue()
    return together.then(enqueue).then(() => juncoes.after(contaId, mensagem))
  }

  const acontecer = (
    contaId: string,
    contatoId: string,
    evento: EventTurn['event'],
    respondida?: AnsweredQuestion,
  ): Promise<void> =>
    new Promise((resolver, rejeitar) => {
      const turno = {
        tipo: 'evento',
        key: `${contaId}#${contatoId}`,
        contaId,
        contatoId,
        event: evento,
        resolve: resolver,
        reject: rejeitar,
      } as const
      batcher.add(respondida === undefined ? turno : { ...turno, answered: respondida })
    })

  return {
    bots,
    simulador: createSimuladorPort(deps, { sessions, receive: receber }),
    receive: receber,
    applyEvent: (contaId, contatoId, evento) => acontecer(contaId, contatoId, evento),
    applyEventIn: (tx, contaId, contatoId, evento) => handler.applyEventIn(tx, contaId, contatoId, evento),
    start: () => sessions.start(),
    stop: async () => {
      for (const leave of assinaturas) leave()
      codes.stop()
      perguntas.stop()
      await batcher.idle()
      await marker.idle()
      await sessions.stop()
      await receipts.idle()
      await states.idle()
    },
    idle: async () => {
      await batcher.idle()
      await marker.idle()
      await receipts.idle()
      await states.idle()
    },
  }
}
