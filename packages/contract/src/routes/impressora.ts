import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { successSchema } from '#entities/common.ts'
import { destinoImpressoraSchema } from '#entities/loja.ts'

/** False: the administrator of the server allows no printers. */
export const impressoraRoute = defineRoute({
  method: 'GET',
  path: '/loja/impressora',
  permission: 'lojaWhatsapp',
  deniesOperators: true,
  response: z.object({ disponivel: z.boolean() }),
  fallbackError: 'Erro ao carregar a impressora',
})

/** Prints a sample on the printer that the person typed, before it is saved. */
export const testarImpressoraRoute = defineRoute({
  method: 'POST',
  path: '/loja/impressora/testar',
  permission: 'lojaWhatsapp',
  deniesOperators: true,
  body: destinoImpressoraSchema,
  response: successSchema,
  fallbackError: 'Erro ao imprimir o teste',
})
