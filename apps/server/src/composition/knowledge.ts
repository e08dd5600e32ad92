import { createGeminiEmbeddings } from '#adapters/gemini/embeddings.ts'
import { createSites } from '#adapters/sites/sites.ts'
import type { Deps } from '#deps.ts'
import type { ServerOptions } from './options.ts'

/** The ways out of the assistant's knowledge: the sites that it reads and the provider of its vectors. */
export function createKnowledge({ geminiUrl, log, sites }: ServerOptions): Pick<Deps, 'embeddings' | 'sites'> {
  return { embeddings: createGeminiEmbeddings({ baseUrl: geminiUrl, log }), sites: createSites(sites ?? {}) }
}
