import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { MODELO_IA_PADRAO } from '@balcao/contract/constants'
import { MODELOS_IA } from '@balcao/contract/presets/editor-presets'
import type { Deps } from '#deps.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import type { AvailableModel } from '#ports/ai.ts'

interface ListedModelo extends AvailableModel {
  readonly recomendado?: boolean
}

interface ModeloList {
  readonly modelos: ListedModelo[]
  /** True if the provider returned the list, which means the stored key is valid. */
  readonly doProvedor: boolean
}

export type ListModelos = (contaId: string) => Promise<ModeloList>

const CACHE_MS = 5 * 60_000
/** A failed request is cached shorter, so each page view does not repeat it. */
const FAILURE_CACHE_MS = 30_000
const CACHED_KEYS_MAX = 500

/**
 * Lists the provider's models for the stored key, cached per key. Returns the built-in list without a key or an
 * answer.
 */
export function createListModelos(deps: Pick<Deps, 'db' | 'vault' | 'ai'>): ListModelos {
  const cache = new LRUCache<string, { readonly modelos: readonly AvailableModel[] | null }>({ max: CACHED_KEYS_MAX })

  const doProvedor = async (apiKey: string): Promise<readonly AvailableModel[] | null> => {
    const key = createHash('sha256').update(apiKey).digest('base64url')
    const cached = cache.get(key)
    if (cached !== undefined) return cached.modelos
    const modelos = await deps.ai.listModels(apiKey)
    cache.set(key, { modelos }, { ttl: modelos === null ? FAILURE_CACHE_MS : CACHE_MS })
    return modelos
  }

  return async (contaId) => {
    const { config } = await deps.db.transaction(contaId, (tx) => loadConfig(tx, deps, contaId))
    const { apiKey } = config.gemini
    const list = apiKey === '' ? null : await doProvedor(apiKey)
    if (list === null || list.length === 0) return { modelos: [...MODELOS_IA], doProvedor: false }
    const [recommended, others] = [list.filter(isDefaultModelo), list.filter((modelo) => !isDefaultModelo(modelo))]
    const modelos = [...recommended.map((modelo) => ({ ...modelo, recomendado: true })), ...others]
    return { modelos, doProvedor: true }
  }
}

function isDefaultModelo({ id }: AvailableModel): boolean {
  return id === MODELO_IA_PADRAO
}
