import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'

/** Stores the picture in the field `arquivo` and returns its public address, which cannot be guessed. */
export const uploadRoute = defineRoute({
  method: 'POST',
  path: '/upload',
  permission: 'lojaWhatsapp',
  bodyType: 'multipart',
  response: z.object({ url: z.string() }),
  status: 201,
  fallbackError: 'Erro ao fazer upload do arquivo',
})
