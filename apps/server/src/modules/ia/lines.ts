import * as z from 'zod/mini'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import type { IaLine } from '@balcao/engine/ia/conversa'
import { sql } from '#db/statement/sql.ts'

/** Of `mensagens m`, as the AI reads it. */
export const iaLineColumns = sql`m.id, m.direcao, m.texto, m.midia,
  nullif(m.extras #>> '{transcricao,texto}', '') as transcricao`

/** Messages with something to read, that reached the customer. */
export const isIaLine = sql`(m.texto <> '' or m.midia is not null) and m.estado not in ('limite', 'falhou')`

export const iaLineSchema = z.object({
  id: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  transcricao: z.nullable(z.string()),
})
export type StoredIaLine = z.output<typeof iaLineSchema>

export function toIaLine({ id, direcao, texto, midia, transcricao }: StoredIaLine, attached: boolean): IaLine {
  return {
    ...{ id, de: direcao === 'entrada' ? 'cliente' : 'bot', texto },
    ...(midia === null ? {} : { midia: midia.tipo, attached }),
    ...(transcricao === null ? {} : { transcricao }),
  }
}
