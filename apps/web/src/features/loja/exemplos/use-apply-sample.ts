import type { Config, VersionedConfig } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import type { ExemploLoja, ExemploProduto } from '@balcao/contract/presets/lojas/exemplo-loja'
import { criarProdutoRoute } from '@balcao/contract/routes/produtos'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import type { Catalog } from '#shared/data/produtos.ts'
import { refetchCatalog, updateCatalog } from '#features/loja/catalogo/catalog.ts'

/** Those of the sample whose name the shop does not have. An interrupted sample goes on where it stopped. */
export function missingProdutos({ produtos }: ExemploLoja, catalog: Catalog): readonly ExemploProduto[] {
  const names = new Set(catalog.map(({ nome }) => foldAccents(nome.trim())))
  return produtos.filter(({ nome }) => !names.has(foldAccents(nome)))
}

/** Orders on. Own fees and ways of payment stay. */
function withSample(config: VersionedConfig, { entrega }: ExemploLoja): VersionedConfig {
  const loja: Config['loja'] = {
    ...config.loja,
    pedidos: true,
    entrega: config.loja.entrega.taxas.length === 0 ? entrega : config.loja.entrega,
  }
  return { ...config, loja }
}

async function createProduto({
  nome,
  descricao,
  preco,
  categoria,
  sinonimos,
  grupos,
}: ExemploProduto): Promise<Produto> {
  const form = new FormData()
  const fields = { nome, descricao, categoria, preco: String(preco) }
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('sinonimos', JSON.stringify(sinonimos))
  form.set('grupos', JSON.stringify(grupos))
  return (await call(criarProdutoRoute, { form })).produto
}

interface SampleProgress {
  readonly done: number
  readonly total: number
}

/** Creates the produtos of a sample one after the other, in their order, and then changes the settings. */
export function useApplySample(catalog: Catalog) {
  const client = useQueryClient()
  const { reload } = useConfig()
  const saveConfig = useSaveConfig()
  const [progress, setProgress] = useState<SampleProgress | null>(null)
  const [error, setError] = useState<string | null>(null)

  const createAll = async (sample: ExemploLoja): Promise<number> => {
    const missing = missingProdutos(sample, catalog)
    for (const [done, one] of missing.entries()) {
      setProgress({ done, total: missing.length })
      // oxlint-disable-next-line no-await-in-loop -- the order of creation is the order of the catalogue
      const produto = await createProduto(one)
      updateCatalog(client, (current) => [...current, produto])
    }
    return missing.length
  }

  /** True if all was applied. */
  const apply = async (sample: ExemploLoja): Promise<boolean> => {
    setError(null)
    setProgress({ done: 0, total: sample.produtos.length })
    try {
      const created = await createAll(sample)
      await saveConfig(withSample(await reload(), sample))
      const added = created === 1 ? '1 produto novo' : `${created} produtos novos`
      notify.sucesso(`Exemplo “${sample.nome}” pronto: ${added}. Troque nomes e preços pelos seus.`)
      return true
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      setError(cause.message)
      return false
    } finally {
      setProgress(null)
      refetchCatalog(client)
    }
  }
  return { progress, error, apply }
}
