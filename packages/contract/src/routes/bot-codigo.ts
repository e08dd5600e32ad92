import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { instantSchema } from '#entities/common.ts'
import { simulatedPhoneSchema } from '#entities/simulador.ts'

// In a separate file, because every page of the panel loads the routes of bot.ts and only one dialog needs this
// one.

/** Returns a pairing code of 8 letters and digits to type on the phone. 409 while no QR code is shown. */
export const codigoBotRoute = defineRoute({
  method: 'POST',
  path: '/bot/codigo',
  permission: 'configuracaoGeral',
  body: z.object({ telefone: simulatedPhoneSchema }),
  response: z.object({ codigo: z.string(), expiraEm: instantSchema }),
  fallbackError: 'Erro ao gerar o código',
})
