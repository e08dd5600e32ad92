import { OPENAI_ERRORS, readModelIds } from './openai.ts'
import type { Provider } from './provider.ts'

/** Hosts that speak the chat completions of OpenAI, such as Ollama and vLLM. Their key is optional. */
export const compativel: Provider = {
  loadModels: async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return ({ apiKey, baseUrl, fetch }, modelo) =>
      createOpenAICompatible({ name: 'compativel', baseURL: baseUrl, fetch, ...(apiKey === '' ? {} : { apiKey }) })(
        modelo,
      )
  },
  listModels: async (access, limit) =>
    (await readModelIds(access, '/models')).slice(0, limit).map((id) => ({ id, nome: id })),
  acceptsModel: (modelo) => modelo.trim() !== '',
  fallbackModel: null,
  errors: OPENAI_ERRORS,
}
