import * as z from 'zod'
import { createCartSchema } from '#pedidos/cart.ts'
import { createQuestionSchema } from '#pedidos/questions.ts'

/** Of the two forms of zod, this one compiles its schemas: a state is read in half of the time. */
export function createStateSchema() {
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
      ...{ etapa: z.literal('loja'), pagina: z.int().min(0), itens: z.array(itemLoja) },
      /** The produto that the bot showed last: 'quero 2' means it. */
      mostrado: z.nullable(z.string()).default(null),
      /** The open question about the order. */
      duvida: z.nullable(createQuestionSchema()).default(null),
    }),
    z.object({ ...memory, etapa: z.literal('humano'), setor: z.string() }),
    z.object({ ...memory, etapa: z.literal('avaliando'), desde: z.number(), tentou: z.boolean() }),
    z.object({ ...memory, etapa: z.literal('encerrada'), desde: z.number() }),
  ])
}
