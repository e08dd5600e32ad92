import { createGeminiEmbeddings } from '#adapters/gemini/embeddings.ts'
import { createGemini } from '#adapters/gemini/gemini.ts'
import { createSites } from '#adapters/sites/sites.ts'
import type { Deps } from '#deps.ts'
import type { ServerOptions } from './options.ts'

/** The ways out of the assistant: its provider, the provider of its vectors and the sites that it reads. */
export function createAssistant(options: ServerOptions): Pick<Deps, 'ai' | 'embeddings' | 'sites'> {
  const { geminiUrl: baseUrl, log, sites } = options
  return {
    ai: options.ai ?? createGemini({ baseUrl, log }),
    embeddings: createGeminiEmbeddings({ baseUrl, log }),
    sites: createSites(sites ?? {}),
  }
}
