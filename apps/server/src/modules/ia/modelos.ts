import { createHash } from 'node:crypto'
import { MODELO_IA_PADRAO } from '@balcao/contract/constants'
import { MODELOS_IA } from '@balcao/contract/modelos'
import type { Deps } from '#deps.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import type { ModeloDisponivel } from '#ports/ai.ts'

interface ModeloListado extends ModeloDisponivel {
  readonly recomendado?: boolean
}

interface ListaDeModelos {
  readonly modelos: ModeloListado[]
  /** True if the provider returned the list, which means the stored key is valid. */
  readonly doProvedor: boolean
}

export type ListarModelos = (contaId: string) => Promise<ListaDeModelos>

const VALE_MS = 5 * 60_000
/** A failed request is cached shorter, so each page view does not repeat it. */
const FALHA_VALE_MS = 30_000
const CHAVES_LEMBRADAS = 500

/**
 * Lists the provider's models for the stored key, cached per key. Returns the built-in list without a key or an
 * answer.
 */
export function createListarModelos(deps: Pick<Deps, 'db' | 'cofre' | 'ai'>): ListarModelos {
  const lembradas = new Map<string, { readonly ate: number; readonly lista: readonly ModeloDisponivel[] | null }>()

  const doProvedor = async (apiKey: string): Promise<readonly ModeloDisponivel[] | null> => {
    const chave = createHash('sha256').update(apiKey).digest('base64url')
    const lembrada = lembradas.get(chave)
    if (lembrada !== undefined && performance.now() < lembrada.ate) return lembrada.lista
    const lista = await deps.ai.modelos(apiKey)
    const [antiga] = lembradas.size < CHAVES_LEMBRADAS ? [] : lembradas.keys()
    if (antiga !== undefined) lembradas.delete(antiga)
    lembradas.set(chave, { ate: performance.now() + (lista === null ? FALHA_VALE_MS : VALE_MS), lista })
    return lista
  }

  return async (contaId) => {
    const { config } = await deps.db.transaction(contaId, (tx) => loadConfig(tx, deps, contaId))
    const { apiKey } = config.gemini
    const lista = apiKey === '' ? null : await doProvedor(apiKey)
    if (lista === null || lista.length === 0) return { modelos: [...MODELOS_IA], doProvedor: false }
    const [recomendado, outros] = [lista.filter(ehPadrao), lista.filter((modelo) => !ehPadrao(modelo))]
    const modelos = [...recomendado.map((modelo) => ({ ...modelo, recomendado: true })), ...outros]
    return { modelos, doProvedor: true }
  }
}

function ehPadrao({ id }: ModeloDisponivel): boolean {
  return id === MODELO_IA_PADRAO
}
