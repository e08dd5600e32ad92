import * as z from 'zod/mini'

/** A question that at least 3 people asked and the bot did not answer. Personal data is masked in all texts. */
export const lacunaSchema = z.object({
  /** Hash of its key word, so that more texts do not change it. */
  id: z.string(),
  /** The most typical short example, in the words of a customer. */
  rotulo: z.string(),
  pessoas: z.int(),
  mensagens: z.int(),
  /** At most 5, the most typical first. */
  exemplos: z.array(z.string()),
  /** Conversas with the question that came to people. */
  transferencias: z.int(),
})
export type Lacuna = z.infer<typeof lacunaSchema>
