import * as z from 'zod/mini'
import { MODELO_ATUAL, resolveModelo } from '@balcao/contract/presets/editor-presets'
import { type Provider, readJson } from './provider.ts'

const listSchema = z.object({
  models: z.optional(
    z.array(
      z.object({
        name: z.string(),
        displayName: z.optional(z.string()),
        supportedGenerationMethods: z.optional(z.array(z.string())),
      }),
    ),
  ),
})

const NOT_FOR_CHAT = /-(tts|image|live|embedding|computer-use|native-audio|robotics)|embedding|aqa|imagen|veo/
/** The id becomes part of a URL. */
const MODEL_ID = /^[a-zA-Z0-9][\w.-]{0,99}$/
const errors = { chave: /API_KEY_INVALID|API key (not valid|expired)/i }

export const gemini: Provider = {
  loadModels: async () => {
    const { createGoogle } = await import('@ai-sdk/google')
    return ({ apiKey, baseUrl, fetch }, modelo) => createGoogle({ apiKey, baseURL: `${baseUrl}/v1beta`, fetch })(modelo)
  },
  // Without a budget this model thinks too long while the customer waits.
  options: (modelo) => ({
    google: modelo.startsWith('gemini-2.5-flash') ? { thinkingConfig: { thinkingBudget: 512 } } : {},
  }),
  listModels: async (access, limit) => {
    const { models = [] } = await readJson(access, {
      path: `/v1beta/models?pageSize=${limit}`,
      headers: { 'x-goog-api-key': access.apiKey },
      ...{ schema: listSchema, errors },
    })
    return models
      .filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
      .map(({ name, displayName }) => ({ id: name.replace(/^models\//, ''), nome: displayName ?? name }))
      .filter(({ id }) => /^gemini-[\w.-]{1,100}$/.test(id) && !NOT_FOR_CHAT.test(id))
  },
  resolve: resolveModelo,
  acceptsModel: (modelo) => MODEL_ID.test(modelo),
  fallbackModel: MODELO_ATUAL,
  errors,
}
