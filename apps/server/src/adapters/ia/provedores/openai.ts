import * as z from 'zod/mini'
import { FATOS_PROVEDOR } from '@balcao/contract/presets/provedores-ia'
import { type Provider, type ProviderAccess, readJson } from './provider.ts'

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

const CHAT = /^(gpt-|chatgpt-|o\d)/
const NOT_FOR_CHAT = /audio|realtime|transcribe|tts|image|search|instruct|codex|embedding|moderation/

/** OpenAI answers 429 both to a fast caller and to an account without credit. */
export const OPENAI_ERRORS = {
  chave: /"invalid_api_key"/,
  cota: /"insufficient_quota"|"billing_hard_limit_reached"/,
  modelo: /"model_not_found"/,
}

/** The models of an OpenAI-compatible host, in its order. */
export async function readModelIds(access: ProviderAccess, path: string): Promise<string[]> {
  const { apiKey } = access
  const headers: Record<string, string> = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }
  const { data } = await readJson(access, { path, headers, schema: listSchema, errors: OPENAI_ERRORS })
  return data.map(({ id }) => id)
}

export const openai: Provider = {
  loadModels: async () => {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return ({ apiKey, baseUrl, fetch }, modelo) => createOpenAI({ apiKey, baseURL: `${baseUrl}/v1`, fetch })(modelo)
  },
  // Answers are not kept at OpenAI. Models that think too long let the customer wait.
  options: (modelo) => ({
    openai: { store: false, ...(/^(gpt-[5-9]|o\d)/.test(modelo) ? { reasoningEffort: 'low' } : {}) },
  }),
  listModels: async (access, limit) => {
    const ids = await readModelIds(access, '/v1/models')
    const chat = ids.filter((id) => CHAT.test(id) && !NOT_FOR_CHAT.test(id)).toSorted()
    return chat.slice(0, limit).map((id) => ({ id, nome: id }))
  },
  acceptsModel: (modelo) => CHAT.test(modelo) || modelo.startsWith('ft:'),
  fallbackModel: FATOS_PROVEDOR.openai.modeloPadrao,
  errors: OPENAI_ERRORS,
}
