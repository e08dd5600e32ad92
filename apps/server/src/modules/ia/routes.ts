import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { MODELO_IA_PADRAO, RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import { MODELOS_IA } from '@balcao/contract/presets/editor-presets'
import {
  modelosGeminiRoute,
  respostaGeminiRoute,
  testarGeminiRoute,
  usoGeminiRoute,
  validarGeminiRoute,
} from '@balcao/contract/routes/gemini'
import type { Deps } from '#deps.ts'
import { loadConfig, resolveSentKey } from '#modules/configuracao/index.ts'
import type { AvailableModel } from '#ports/ai.ts'
import { AppError } from '#errors.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { localDay } from '#lib/time.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { findResposta, readUso } from './respostas.ts'
import { lacunaRoutes } from './lacunas/routes.ts'
import { testIa } from './test-ia.ts'

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

export function iaRoutes(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime' | 'vault' | 'ai' | 'settings' | 'embeddings'>,
): BoundRoute[] {
  const { db, clock, ai } = deps
  const listarModelos = createListModelos(deps)
  return [
    bind(validarGeminiRoute, async ({ sessao: { contaId }, body }) => {
      const { config } = await db.transaction(contaId, async (tx) => {
        await countAttempt(tx, deps, testLimit('chave', contaId))
        return loadConfig(tx, deps, contaId)
      })
      const apiKey = resolveSentKey(config.gemini.apiKey, body.apiKey)
      if (apiKey === '') return { valida: false, erro: 'Nenhuma API Key foi salva ainda' }
      const error = await ai.checkKey(apiKey)
      return error === null ? { valida: true } : { valida: false, erro: error }
    }),
    bind(testarGeminiRoute, ({ sessao, body }) => testIa(deps, sessao, body)),
    bind(modelosGeminiRoute, ({ sessao }) => listarModelos(sessao.contaId)),
    bind(usoGeminiRoute, ({ sessao: { contaId } }) =>
      db.transaction(contaId, async (tx) =>
        readUso(tx, contaId, localDay(clock.now(), await readTimeZone(tx, { contaId }))),
      ),
    ),
    bind(respostaGeminiRoute, async ({ sessao: { contaId }, params }) => {
      const since = new Date(clock.now().getTime() - RESPOSTAS_IA_DIAS * 86_400_000)
      const reply = await db.transaction(contaId, (tx) => findResposta(tx, contaId, params.id, since))
      if (reply === null) throw new AppError('naoEncontrado')
      return { resposta: reply }
    }),
    ...lacunaRoutes(deps),
  ]
}
