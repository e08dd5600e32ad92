import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import {
  titularExportSchema,
  privacidadePatchSchema,
  privacidadeSchema,
  registroOperacoesSchema,
  titularSummarySchema,
} from '#entities/lgpd.ts'
import { nextCursorSchema } from './common.ts'

/**
 * Rights of customers (LGPD art. 18 and 37); only the owner of the account may use these routes, not operators.
 * `telefone` is a number in any notation, `@` and the user name, a protocol number, or the service's address when it
 * hides the number.
 */

const titularParams = z.object({
  telefone: z.string().check(z.trim(), z.minLength(3, 'Informe um telefone com DDD'), z.maxLength(200)),
})

export const privacidadeRoute = defineRoute({
  method: 'GET',
  path: '/lgpd/privacidade',
  permission: 'dono',
  response: z.object({ privacidade: privacidadeSchema }),
  fallbackError: 'Erro ao carregar a privacidade',
})

export const salvarPrivacidadeRoute = defineRoute({
  method: 'PUT',
  path: '/lgpd/privacidade',
  permission: 'dono',
  body: privacidadePatchSchema,
  response: z.object({ privacidade: privacidadeSchema }),
  fallbackError: 'Erro ao salvar a privacidade',
})

export const titularRoute = defineRoute({
  method: 'GET',
  path: '/lgpd/titulares/:telefone',
  permission: 'dono',
  params: titularParams,
  response: z.object({ titular: titularSummarySchema }),
  fallbackError: 'Erro ao procurar o cliente',
})

/**
 * The page without a cursor has all but the later mensagens. `proximoCursor` leads to further mensagens with their midias
 * and respostasIa; the other lists of those pages are empty.
 */
export const exportarTitularRoute = defineRoute({
  method: 'GET',
  path: '/lgpd/titulares/:telefone/exportacao',
  permission: 'dono',
  params: titularParams,
  query: z.object({ cursor: z.optional(z.uuid()) }),
  response: z.extend(titularExportSchema, { proximoCursor: nextCursorSchema }),
  fallbackError: 'Erro ao exportar os dados do cliente',
})

/** `notasDeOutros`: notas of other contatos with the full name. They stay. Null: not searched. Absent: older server. */
export const apagarTitularRoute = defineRoute({
  method: 'DELETE',
  path: '/lgpd/titulares/:telefone',
  permission: 'dono',
  stepUp: true,
  params: titularParams,
  response: z.object({
    sucesso: z.literal(true),
    apagado: titularSummarySchema.shape.contagem,
    notasDeOutros: z.optional(z.nullable(z.int())),
  }),
  fallbackError: 'Erro ao apagar os dados do cliente',
})

export const registroOperacoesRoute = defineRoute({
  method: 'GET',
  path: '/lgpd/registro-operacoes',
  permission: 'dono',
  response: registroOperacoesSchema,
  fallbackError: 'Erro ao carregar o registro de operações',
})
