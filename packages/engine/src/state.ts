import * as z from 'zod/mini'
import { createCartSchema } from './pedidos/cart.ts'
import { createQuestionSchema } from './pedidos/questions.ts'

/** State of the bot for one customer, stored as JSON with the contato. Instants are in ms. */

/** Built at the first use: the panel's preview never parses a stored state. */
function createSchema() {
  const memory = {
    versao: z.literal(1),
    ultimaEm: z.nullable(z.number()),
    /** Consecutive messages that the bot did not understand. */
    erros: z.int(),
    /** Id of the awaited question. Answers to other questions are dropped. */
    pergunta: z.nullable(z.string()),
    /** Instants of the automatic answers of the last minute, for the loop guard. */
    respostasEm: z.array(z.number()),
    /** Automatic answers of the last hour since a person of the shop acted, counted by 10 minutes from `desde`. */
    semPessoa: z.array(z.object({ desde: z.number(), respostas: z.int() })),
    /** The last text, folded, and the instants of its repetitions. */
    repetido: z.nullable(z.object({ texto: z.string(), instantes: z.array(z.number()) })),
    /** The loop guard keeps the bot silent until this instant. */
    caladoAte: z.nullable(z.number()),
    /** The owner wrote on the phone: the bot is silent until this instant. */
    telefoneAte: z.nullable(z.number()),
    /** Closed period in which `foraPeriodo` was already sent. */
    foraPeriodoDito: z.nullable(z.string()),
    avaliacaoPedidaEm: z.nullable(z.number()),
    /** A greeting was already sent to old messages of a backlog. */
    saudouAtraso: z.boolean(),
    /** The AI presented itself in this conversation. */
    apresentada: z.boolean(),
    /** Instant of the privacy notice, sent once per customer. */
    avisadoEm: z.nullable(z.number()),
    /** Instant of the request to stop automatic messages; `VOLTAR` resets it. */
    paradoEm: z.nullable(z.number()),
    /** Of the shop. It survives the end of a dialogue, until the order is made or emptied. */
    carrinho: z.nullable(createCartSchema()),
  }

  const itemLoja = z.object({ id: z.string(), nome: z.string() })

  return z.discriminatedUnion('etapa', [
    z.object({ ...memory, etapa: z.literal('nenhuma') }),
    z.object({ ...memory, etapa: z.literal('menu') }),
    z.object({ ...memory, etapa: z.literal('ia') }),
    /** `itens` is the list as first shown, so that numbers stay stable while the catalogue changes. */
    z.object({
      ...memory,
      ...{ etapa: z.literal('loja'), pagina: z.int().check(z.minimum(0)), itens: z.array(itemLoja) },
      /** The produto that the bot showed last: 'quero 2' means it. */
      mostrado: z._default(z.nullable(z.string()), null),
      /** The open question about the order. */
      duvida: z._default(z.nullable(createQuestionSchema()), null),
    }),
    z.object({ ...memory, etapa: z.literal('humano'), setor: z.string() }),
    z.object({ ...memory, etapa: z.literal('avaliando'), desde: z.number(), tentou: z.boolean() }),
    z.object({ ...memory, etapa: z.literal('encerrada'), desde: z.number() }),
  ])
}

let schema: ReturnType<typeof createSchema> | undefined

/** Notice and stop are read separately, so that they survive a state that cannot be parsed. */
const createConsentSchema = () =>
  z.object({
    avisadoEm: z.nullable(z.number()),
    paradoEm: z.nullable(z.number()),
  })
let consentSchema: ReturnType<typeof createConsentSchema> | undefined

export type BotState = z.infer<ReturnType<typeof createSchema>>
export type Etapa = BotState['etapa']

export type BotMemory = Omit<Extract<BotState, { etapa: 'nenhuma' }>, 'etapa'>

/** Privacy notice and stop. They hold for the customer, on every line. */
export type Consent = Readonly<Pick<BotState, 'avisadoEm' | 'paradoEm'>>

export const NO_CONSENT: Consent = { avisadoEm: null, paradoEm: null }

/** Those of a stored state, none if they cannot be read. Much cheaper than to parse the whole state. */
export function consentOf(json: unknown): Consent {
  consentSchema ??= createConsentSchema()
  const known = typeof json === 'object' && json !== null ? { ...NO_CONSENT, ...json } : json
  return consentSchema.safeParse(known).data ?? NO_CONSENT
}

export function initialState(): BotState {
  return {
    versao: 1,
    etapa: 'nenhuma',
    ultimaEm: null,
    erros: 0,
    pergunta: null,
    respostasEm: [],
    semPessoa: [],
    repetido: null,
    caladoAte: null,
    telefoneAte: null,
    foraPeriodoDito: null,
    avaliacaoPedidaEm: null,
    saudouAtraso: false,
    apresentada: false,
    carrinho: null,
    ...NO_CONSENT,
  }
}

/**
 * Reads a stored state. Unreadable input gives the initial state, but keeps privacy notice and stop if they are
 * readable.
 */
export function parseState(json: unknown): BotState {
  // Older states lack these fields.
  const whole =
    typeof json === 'object' && json !== null
      ? { ...NO_CONSENT, semPessoa: [], carrinho: null, apresentada: false, ...json }
      : json
  schema ??= createSchema()
  const parsed = schema.safeParse(whole)
  if (parsed.success) return parsed.data
  return { ...initialState(), ...consentOf(json) }
}

/** True if the loop guard or the owner on the phone keeps the bot silent at `now` (ms). */
export function isSilentAt({ caladoAte, telefoneAte }: BotState, now: number): boolean {
  return (caladoAte ?? 0) > now || (telefoneAte ?? 0) > now
}

export function memoryFields(state: BotState): BotMemory {
  const { versao, ultimaEm, erros, pergunta, respostasEm, semPessoa, repetido, caladoAte, telefoneAte } = state
  const { foraPeriodoDito, avaliacaoPedidaEm, saudouAtraso, apresentada, avisadoEm, paradoEm, carrinho } = state
  return {
    ...{ versao, ultimaEm, erros, pergunta, respostasEm, semPessoa, repetido, caladoAte, telefoneAte },
    ...{ foraPeriodoDito, avaliacaoPedidaEm, saudouAtraso, apresentada, avisadoEm, paradoEm, carrinho },
  }
}
