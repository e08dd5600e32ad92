import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { buscaQuerySchema, resultadoBuscaSchema } from '#entities/busca.ts'
import { listCursorSchema, listQuerySchema, ofLineSchema } from './common.ts'

/**
 * Messages, notas and customer names with all words of `q`, newest first. Accents, letter case and a plural `s` do not
 * count. The last word may be the beginning of a word. A found name returns the last message of its conversa.
 */
export const buscarMensagensRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/busca',
  permission: 'atendimentoHumano',
  query: z.extend(listQuerySchema, { q: buscaQuerySchema, ...ofLineSchema.shape }),
  response: z.object({ resultados: z.array(resultadoBuscaSchema), proximoCursor: listCursorSchema }),
  fallbackError: 'Erro ao buscar mensagens',
})
