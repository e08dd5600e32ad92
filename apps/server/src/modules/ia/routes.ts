import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import { MODELOS_IA } from '@balcao/contract/presets/editor-presets'
import { FATOS_PROVEDOR, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import {
  modelosGeminiRoute,
  respostaGeminiRoute,
  testarGeminiRoute,
  usoGeminiRoute,
  validarGeminiRoute,
} from '@balcao/contract/routes/gemini'
import type { Deps } from '#deps.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import type { AiAccess, AvailableModel } from '#ports/ai.ts'
import { AppError } from '#errors.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { localDay } from '#lib/time.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import { findResposta, readUso } from './respostas.ts'
import { gapRoutes } from './lacunas/routes.ts'
import { accessOf, canBeAsked, missingText, type SentAccess } from './access.ts'
import { testIa } from './test-ia.ts'

interface ListedModelo extends AvailableModel {
  readonly recomendado?: boolean
}

interface ModeloList {
  readonly modelos: ListedModelo[]
  /** True if the provider returned the list, which means the stored key is valid. */
  readonly doProvedor: boolean
}

export type ListModelos = (contaId: string, chosen: SentAccess) => Promise<ModeloList>

const CACHE_MS = 5 * 60_000
/** A failed request is cached shorter, so each page view does not repeat it. */
const FAILURE_CACHE_MS = 30_000
const CACHED_KEYS_MAX = 500

export function createListModelos(deps: Pick<Deps, 'db' | 'vault' | 'ai'>): ListModelos {
  const cache = new LRUCache<string, { readonly modelos: readonly AvailableModel[] | null }>({ max: CACHED_KEYS_MAX })

  const doProvedor = async (access: AiAccess): Promise<readonly AvailableModel[] | null> => {
    const { provedor, urlBase, apiKey } = access
    const key = createHash('sha256').update(`${provedor}|${urlBase}|${apiKey}`).digest('base64url')
    const cached = cache.get(key)
    if (cached !== undefined) return cached.modelos
    const modelos = await deps.ai.listModels(access)
    cache.set(key, { modelos }, { ttl: modelos === null ? FAILURE_CACHE_MS : CACHE_MS })
    return modelos
  }

  return async (contaId, chosen) => {
    const { config } = await deps.db.transaction(contaId, (tx) => loadConfig(tx, deps, contaId))
    const access = accessOf(config, chosen)
    const list = canBeAsked(access) ? await doProvedor(access) : null
    if (list === null || list.length === 0) return { modelos: knownModelos(access.provedor), doProvedor: false }
    const isDefault = ({ id }: AvailableModel): boolean => id === FATOS_PROVEDOR[access.provedor].modeloPadrao
    const [recommended, others] = [list.filter(isDefault), list.filter((modelo) => !isDefault(modelo))]
    const modelos = [...recommended.map((modelo) => ({ ...modelo, recomendado: true })), ...others]
    return { modelos, doProvedor: true }
  }
}

/** Shown until the provider answered. */
function knownModelos(provedor: ProvedorIa): ListedModelo[] {
  if (provedor === 'gemini') return [...MODELOS_IA]
  const { modeloPadrao: id } = FATOS_PROVEDOR[provedor]
  return id === '' ? [] : [{ id, nome: id, recomendado: true }]
}

export function iaRoutes(
  deps: Pick<
    Deps,
    'db' | 'clock' | 'ids' | 'realtime' | 'vault' | 'ai' | 'settings' | 'embeddings' | 'log' | 'mailQueued'
  >,
): BoundRoute[] {
  const { db, clock, ai } = deps
  const listarModelos = createListModelos(deps)
  return [
    bind(validarGeminiRoute, async ({ sessao: { contaId }, body }) => {
      const { config } = await db.transaction(contaId, async (tx) => {
        await countAttempt(tx, deps, testLimit('chave', contaId))
        return loadConfig(tx, deps, contaId)
      })
      const access = accessOf(config, body)
      if (!canBeAsked(access)) return { valida: false, erro: missingText(access) }
      const error = await ai.checkKey(access)
      return error === null ? { valida: true } : { valida: false, erro: error }
    }),
    bind(testarGeminiRoute, ({ sessao, body }) => testIa(deps, sessao, body)),
    bind(modelosGeminiRoute, ({ sessao, query }) => listarModelos(sessao.contaId, query)),
    bind(usoGeminiRoute, ({ sessao: { contaId } }) =>
      db.transaction(contaId, async (tx) => {
        const now = clock.now()
        const { config } = await loadConfig(tx, deps, contaId)
        const today = localDay(now, config.atendimento.horario.fuso)
        return readUso(tx, contaId, { today, now, orcamento: config.ia.orcamentoCentavosMes })
      }),
    ),
    bind(respostaGeminiRoute, async ({ sessao: { contaId }, params }) => {
      const since = new Date(clock.now().getTime() - RESPOSTAS_IA_DIAS * 86_400_000)
      const reply = await db.transaction(contaId, (tx) => findResposta(tx, contaId, params.id, since))
      if (reply === null) throw new AppError('naoEncontrado')
      return { resposta: reply }
    }),
    ...gapRoutes(deps),
  ]
}
