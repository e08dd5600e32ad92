import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { instanteSchema } from '#entities/comum.ts'
import { telefoneSimuladoSchema } from '#entities/simulador.ts'

// Alone in its file: the rows of the session are in every page of the panel, and this one is in a drawer of one.

/** A code to type on the phone, instead of scanning (8 letters and digits); 409 while no QR code is on show. */
export const codigoBotRoute = defineRoute({
  method: 'POST',
  path: '/bot/codigo',
  permissao: 'configuracaoGeral',
  body: z.object({ telefone: telefoneSimuladoSchema }),
  response: z.object({ codigo: z.string(), expiraEm: instanteSchema }),
  erroPadrao: 'Erro ao gerar o código',
})
