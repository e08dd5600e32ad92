import { createEmbeddings } from '#adapters/ia/embeddings.ts'
import { createIa } from '#adapters/ia/ia.ts'
import { createSites } from '#adapters/sites/sites.ts'
import type { Deps } from '#deps.ts'
import { aiOptions } from './ai-options.ts'
import type { ServerOptions } from './options.ts'

/** The ways out of the assistant: its provider, with its vectors, and the sites that it reads. */
export function createAssistant(options: ServerOptions): Pick<Deps, 'ai' | 'embeddings' | 'sites'> {
  const { log, sites } = options
  const { urls, ...rest } = aiOptions(options)
  return {
    ai: options.ai ?? createIa({ ...rest, urls, log }),
    embeddings: createEmbeddings({ urls, log }),
    sites: createSites(sites ?? {}),
  }
}
