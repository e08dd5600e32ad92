import * as z from 'zod/mini'

/** What the bot remembers of one customer (decisions §3). Plain JSON, stored with the contact; instants in ms. */

/** Built on the first reading: a browser that only previews the bot never reads a stored state, and need not carry the schema. */
function criarSchema() {
  const memoria = {
    versao: z.literal(1),
    /** The customer's last message. */
    ultimaEm: z.nullable(z.number()),
    /** Misses in a row. */
    erros: z.int(),
    /** The question whose answer is awaited; an answer to any other is late and dropped. */
    pergunta: z.nullable(z.string()),
    /** Instants of the automatic answers that the loop guard still looks at. */
    respostasEm: z.array(z.number()),
    /** The last text, folded, and when it came, in a row. */
    repetido: z.nullable(z.object({ texto: z.string(), instantes: z.array(z.number()) })),
    /** The loop guard keeps the bot silent until then. */
    caladoAte: z.nullable(z.number()),
    /** The owner wrote from the phone: the bot is silent until then. */
    telefoneAte: z.nullable(z.number()),
    /** The closed period in which `foraPeriodo` was already said. */
    foraPeriodoDito: z.nullable(z.string()),
    avaliacaoPedidaEm: z.nullable(z.number()),
    /** One greeting was already given to a backlog of old messages. */
    saudouAtraso: z.boolean(),
    /** The privacy notice was given: once per customer. */
    avisadoEm: z.nullable(z.number()),
    /** The customer asked for silence: no automatic message until `VOLTAR`. */
    paradoEm: z.nullable(z.number()),
  }

  const itemLoja = z.object({ id: z.string(), nome: z.string() })

  return z.discriminatedUnion('etapa', [
    z.object({ ...memoria, etapa: z.literal('nenhuma') }),
    z.object({ ...memoria, etapa: z.literal('menu') }),
    z.object({ ...memoria, etapa: z.literal('ia') }),
    /** `itens` is the list as it was shown: numbers do not shift under the customer. */
    z.object({ ...memoria, etapa: z.literal('loja'), pagina: z.int().check(z.minimum(0)), itens: z.array(itemLoja) }),
    z.object({ ...memoria, etapa: z.literal('humano'), setor: z.string() }),
    z.object({ ...memoria, etapa: z.literal('avaliando'), desde: z.number(), tentou: z.boolean() }),
    z.object({ ...memoria, etapa: z.literal('encerrada'), desde: z.number() }),
  ])
}

let schema: ReturnType<typeof criarSchema> | undefined

/** What a customer was told and decided outlives everything else that is forgotten. */
const criarVontade = () =>
  z.object({
    avisadoEm: z.nullable(z.number()),
    paradoEm: z.nullable(z.number()),
  })
let vontade: ReturnType<typeof criarVontade> | undefined

export type BotState = z.infer<ReturnType<typeof criarSchema>>
export type Etapa = BotState['etapa']

/** The part of a state that does not depend on the stage. */
export type Memoria = Omit<Extract<BotState, { etapa: 'nenhuma' }>, 'etapa'>

const NADA_DITO = { avisadoEm: null, paradoEm: null } as const

/** A customer the bot never met. */
export function initialState(): BotState {
  return {
    versao: 1,
    etapa: 'nenhuma',
    ultimaEm: null,
    erros: 0,
    pergunta: null,
    respostasEm: [],
    repetido: null,
    caladoAte: null,
    telefoneAte: null,
    foraPeriodoDito: null,
    avaliacaoPedidaEm: null,
    saudouAtraso: false,
    ...NADA_DITO,
  }
}

/** Reads a stored state; what cannot be read is a customer the bot never met, whose word about silence still holds. */
export function parseState(json: unknown): BotState {
  // What was stored before a customer could say a word about silence does not hold any.
  const inteiro = typeof json === 'object' && json !== null ? { ...NADA_DITO, ...json } : json
  schema ??= criarSchema()
  const lido = schema.safeParse(inteiro)
  if (lido.success) return lido.data
  vontade ??= criarVontade()
  return { ...initialState(), ...vontade.safeParse(inteiro).data }
}

/** Whether the loop guard, or the owner who wrote from the phone, keeps the bot silent at an instant in ms. */
export function caladoEm({ caladoAte, telefoneAte }: BotState, agora: number): boolean {
  return (caladoAte ?? 0) > agora || (telefoneAte ?? 0) > agora
}

/** The memory alone, to be carried into another stage. */
export function memoriaDe(state: BotState): Memoria {
  const { versao, ultimaEm, erros, pergunta, respostasEm, repetido, caladoAte, telefoneAte } = state
  const { foraPeriodoDito, avaliacaoPedidaEm, saudouAtraso, avisadoEm, paradoEm } = state
  return {
    ...{ versao, ultimaEm, erros, pergunta, respostasEm, repetido, caladoAte, telefoneAte },
    ...{ foraPeriodoDito, avaliacaoPedidaEm, saudouAtraso, avisadoEm, paradoEm },
  }
}
