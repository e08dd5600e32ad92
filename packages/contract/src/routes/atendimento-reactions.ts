import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema } from '#entities/common.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { idParamsSchema } from './common.ts'

/** One emoji including skin tone, joiners or flag. 32 characters hold a family of four with skin tones. */
const emojiSchema = z
  .string('Escolha um emoji')
  .check(
    z.maxLength(32),
    z.regex(
      /^(?:\p{Extended_Pictographic}|\p{RI}\p{RI})(?:\p{Emoji_Modifier}|\p{Extended_Pictographic}|\u200d|\ufe0f)*$/u,
      'Escolha um emoji',
    ),
  )

/** Sets the shop's only reaction to a message; null removes it. Does not count against the daily limit. */
export const reagirRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/mensagens/:mensagemId/reacao',
  permission: 'atendimentoHumano',
  params: z.extend(idParamsSchema, { mensagemId: idSchema }),
  body: z.object({ emoji: z.nullable(emojiSchema) }),
  response: z.object({ mensagem: mensagemSchema, conversaId: z.string() }),
  fallbackError: 'Erro ao reagir à mensagem',
})
