import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema } from '#entities/comum.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { idParamsSchema } from './comum.ts'

/** What people do to a message that was said before. */

/** One emoji with its skin tone, its joined parts or its flag. A family of four with all its joiners is eleven. */
const emojiSchema = z
  .string('Escolha um emoji')
  .check(
    z.maxLength(32),
    z.regex(
      /^(?:\p{Extended_Pictographic}|\p{RI}\p{RI})(?:\p{Emoji_Modifier}|\p{Extended_Pictographic}|\u200d|\ufe0f)*$/u,
      'Escolha um emoji',
    ),
  )

/** The shop's reaction to a message, at most one; null takes it back. Costs nothing of the daily limit. */
export const reagirRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/mensagens/:mensagemId/reacao',
  permissao: 'atendimentoHumano',
  params: z.extend(idParamsSchema, { mensagemId: idSchema }),
  body: z.object({ emoji: z.nullable(emojiSchema) }),
  response: z.object({ mensagem: mensagemSchema, conversaId: z.string() }),
  erroPadrao: 'Erro ao reagir à mensagem',
})
