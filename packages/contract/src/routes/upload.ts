import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'

/** One picture in the field `arquivo` → its public, unguessable address (spec §7). */
export const uploadRoute = defineRoute({
  method: 'POST',
  path: '/upload',
  permissao: 'lojaWhatsapp',
  corpo: 'multipart',
  response: z.object({ url: z.string() }),
  status: 201,
  erroPadrao: 'Erro ao fazer upload do arquivo',
})
