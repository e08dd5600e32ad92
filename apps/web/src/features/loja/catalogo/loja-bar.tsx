import clsx from 'clsx'
import { Plus, Search } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import type { Catalog } from '#shared/data/produtos.ts'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { Produto } from '@balcao/contract/entities/produto'

interface LojaBarProps {
  readonly produtos: Catalog
  readonly filter: ProdutoFilter
  readonly onFilter: (filtro: ProdutoFilter) => void
  readonly onNew: () => void
}

export const PRODUTOS_TITLE_ID = 'titulo-dos-produtos'

const SITUATION_LABEL: Readonly<Record<ProdutoSituation, string>> = {
  todos: 'Todos',
  ativos: 'Ativos',
  inativos: 'Inativos',
}

export function LojaBar({ produtos, filter, onFilter, onNew }: LojaBarProps) {
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={PRODUTOS_TITLE_ID} tabIndex={-1} className="text-lg font-bold">
          Produtos
        </h2>
        {produtos.length > 0 && (
          <Button variant="primary" className="min-h-11" onClick={onNew}>
            <Plus size={18} aria-hidden /> Novo produto
          </Button>
        )}
      </div>
      {produtos.length > 0 && (
        <div className="flex flex-wrap gap-3">
          <div className="relative max-w-sm flex-1 basis-44">
            <Search size={18} aria-hidden className="absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
            <input
              type="search"
              aria-label="Buscar produtos"
              placeholder="Buscar por nome ou descrição"
              className="field min-h-11 pl-10"
              value={filter.busca}
              onChange={({ currentTarget }) => onFilter({ ...filter, busca: currentTarget.value })}
            />
          </div>
          <div
            role="group"
            aria-label="Quais produtos mostrar"
            className="grid grid-cols-3 gap-1 rounded-xl bg-sunken p-1 max-sm:w-full"
          >
            {PRODUTO_SITUATIONS.map((situacao) => (
              <button
                key={situacao}
                type="button"
                aria-pressed={filter.situacao === situacao}
                onClick={() => onFilter({ ...filter, situacao })}
                className={clsx(
                  'min-h-9 rounded-lg px-3 text-sm font-semibold whitespace-nowrap',
                  filter.situacao === situacao ? 'bg-surface shadow-card' : 'text-muted',
                )}
              >
                {SITUATION_LABEL[situacao]} <span className="tabular-nums">{countBySituation(produtos, situacao)}</span>
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}

const PRODUTO_SITUATIONS = ['todos', 'ativos', 'inativos'] as const
type ProdutoSituation = (typeof PRODUTO_SITUATIONS)[number]

interface ProdutoFilter {
  readonly situacao: ProdutoSituation
  readonly busca: string
}

export const NO_PRODUTO_FILTER: ProdutoFilter = { situacao: 'todos', busca: '' }

function isInSituation({ ativo }: Produto, situation: ProdutoSituation): boolean {
  return situation === 'todos' || ativo === (situation === 'ativos')
}

export function filterProdutos(catalog: Catalog, { situacao, busca }: ProdutoFilter): Catalog {
  const words = foldAccents(busca).split(/\s+/)
  return catalog.filter((produto) => {
    const text = foldAccents(`${produto.nome} ${produto.descricao}`)
    return isInSituation(produto, situacao) && words.every((word) => text.includes(word))
  })
}

function countBySituation(catalog: Catalog, situation: ProdutoSituation): number {
  return catalog.filter((produto) => isInSituation(produto, situation)).length
}
