import * as z from 'zod/mini'
import { FATOS_PROVEDOR } from '@balcao/contract/presets/provedores-ia'
import { type Provider, readJson } from './provider.ts'

const API_VERSION = '2023-06-01'
const listSchema = z.object({ data: z.array(z.object({ id: z.string(), display_name: z.optional(z.string()) })) })
const errors = {
  chave: /"authentication_error"/,
  // Answered with 400.
  cota: /credit balance is too low/i,
}

export const anthropic: Provider = {
  loadModels: async () => {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return ({ apiKey, baseUrl, fetch }, modelo) => createAnthropic({ apiKey, baseURL: `${baseUrl}/v1`, fetch })(modelo)
  },
  listModels: async (access, limit) => {
    const { data } = await readJson(access, {
      path: `/v1/models?limit=${limit}`,
      headers: { 'x-api-key': access.apiKey, 'anthropic-version': API_VERSION },
      ...{ schema: listSchema, errors },
    })
    return data.map(({ id, display_name: nome = id }) => ({ id, nome }))
  },
  acceptsModel: (modelo) => modelo.startsWith('claude-'),
  fallbackModel: FATOS_PROVEDOR.anthropic.modeloPadrao,
  errors,
}
