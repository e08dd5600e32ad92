import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idTemporarioSchema } from '#entities/common.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { modeloOficialSchema } from '#entities/oficial.ts'
import { idParamsSchema } from './common.ts'

/** Approved templates. Empty when the account has no number at Meta. */
export const modelosOficiaisRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/modelos-oficiais',
  permission: 'atendimentoHumano',
  response: z.object({ modelos: z.array(modeloOficialSchema) }),
  fallbackError: 'Erro ao carregar modelos de mensagem',
})

/** Allowed also after the reply window of 24 hours. `valores` fill the placeholders in order. Result as for a text. */
export const enviarModeloRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/modelo',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({
    nome: z.string().check(z.maxLength(512)),
    idioma: z.string().check(z.maxLength(20)),
    valores: z
      .array(
        z
          .string()
          .check(
            z.trim(),
            z.minLength(1, 'Preencha todos os dados do modelo'),
            z.maxLength(1_000),
            z.regex(/^[^\n\t]*$/),
          ),
      )
      .check(z.maxLength(30)),
    idTemporario: z.optional(idTemporarioSchema),
  }),
  response: z.object({ mensagem: mensagemSchema, conversaId: z.string(), idTemporario: z.optional(z.string()) }),
  fallbackError: 'Erro ao enviar modelo de mensagem',
})
