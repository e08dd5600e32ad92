import * as z from 'zod/mini'

/** A product, the opening hours or a source of the shop that supports a suggested answer. */
export const fonteDaSugestaoSchema = z.object({
  titulo: z.string(),
  /** Of a source. Absent: a product or the hours. */
  fonteId: z.optional(z.string()),
})
export type FonteDaSugestao = z.infer<typeof fonteDaSugestaoSchema>

/** A draft for the person who serves the conversa. The server never sends it. */
export const sugestaoSchema = z.object({ texto: z.string(), fontes: z.array(fonteDaSugestaoSchema) })
export type Sugestao = z.infer<typeof sugestaoSchema>
