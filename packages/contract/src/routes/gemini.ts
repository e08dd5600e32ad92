import * as z from 'zod/mini'
import { PROVEDORES_IA } from '#constants.ts'
import { defineRoute } from '#define-route.ts'
import { iaSchema } from '#entities/config.ts'
import { respostaIaSchema, usoIaSchema } from '#entities/resposta-ia.ts'
import { idParamsSchema } from './common.ts'

/** Without `provedor` a request means Gemini. `urlBase` is for `compativel`; absent, it is the stored address. */
const chosenProvider = {
  provedor: z.optional(z.enum(PROVEDORES_IA)),
  urlBase: z.optional(iaSchema.shape.urlBase),
}

/** An invalid key is answered with 200 and `valida: false`. A masked key stands for the stored one. */
export const validarGeminiRoute = defineRoute({
  method: 'POST',
  path: '/gemini/validar',
  permission: 'iaChatbot',
  body: z
    .object({
      ...chosenProvider,
      apiKey: z.string('Digite uma API Key para testar').check(z.trim(), z.maxLength(512)),
    })
    .check(
      z.refine(({ provedor, apiKey }) => apiKey !== '' || provedor === 'compativel', {
        error: 'Digite uma API Key para testar',
        path: ['apiKey'],
      }),
    ),
  response: z.object({ valida: z.boolean(), erro: z.optional(z.string()) }),
  fallbackError: 'Erro ao validar API Key',
})

export const testarGeminiRoute = defineRoute({
  method: 'POST',
  path: '/gemini/testar',
  permission: 'iaChatbot',
  body: z.object({
    pergunta: z
      .string('Digite uma pergunta para testar')
      .check(z.trim(), z.minLength(1, 'Digite uma pergunta para testar'), z.maxLength(4096)),
    ia: z.optional(z.partial(iaSchema)),
  }),
  response: z.object({ resposta: z.string(), duracaoMs: z.int() }),
  fallbackError: 'Erro ao testar IA',
})

export const modelosGeminiRoute = defineRoute({
  method: 'GET',
  path: '/gemini/modelos',
  permission: 'iaChatbot',
  query: z.object(chosenProvider),
  response: z.object({
    modelos: z.array(z.object({ id: z.string(), nome: z.string(), recomendado: z.optional(z.boolean()) })),
    /** True: the list came from the provider, so the stored key is valid. False says nothing about the key. */
    doProvedor: z.boolean(),
  }),
  fallbackError: 'Erro ao carregar modelos',
})

export const usoGeminiRoute = defineRoute({
  method: 'GET',
  path: '/gemini/uso',
  permission: 'iaChatbot',
  response: usoIaSchema,
  fallbackError: 'Erro ao carregar uso da IA',
})

/** Request and answer of one message of the AI. `id` is the message's id. 404 after 30 days. */
export const respostaGeminiRoute = defineRoute({
  method: 'GET',
  path: '/gemini/respostas/:id',
  permission: 'iaChatbot',
  params: idParamsSchema,
  response: z.object({ resposta: respostaIaSchema }),
  fallbackError: 'Erro ao carregar a resposta da IA',
})
