import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { versaoWhatsappSchema, whatsappSettingsSchema } from '#entities/whatsapp.ts'

export const whatsappRoute = defineRoute({
  method: 'GET',
  path: '/admin/whatsapp',
  permission: 'admin',
  response: whatsappSettingsSchema,
  fallbackError: 'Erro ao carregar a versão do WhatsApp',
})

/** Answers after the test on one session, in at most half a minute. 409 keeps the previous version. */
export const salvarWhatsappRoute = defineRoute({
  method: 'PUT',
  path: '/admin/whatsapp',
  permission: 'admin',
  body: z.object({ versao: z.nullable(versaoWhatsappSchema) }),
  response: whatsappSettingsSchema,
  fallbackError: 'Erro ao salvar a versão do WhatsApp',
})
