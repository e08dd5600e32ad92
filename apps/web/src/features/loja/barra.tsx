import clsx from 'clsx'
import { Plus, Search } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { contar, type Filtro, SITUACOES, type Situacao } from './filtrar.ts'
import type { Catalogo } from './produtos.ts'

export interface BarraProps {
  readonly produtos: Catalogo
  readonly filtro: Filtro
  readonly onFiltrar: (filtro: Filtro) => void
  readonly onNovo: () => void
}

export const TITULO = 'titulo-dos-produtos'

const ROTULO: Readonly<Record<Situacao, string>> = { todos: 'Todos', ativos: 'Ativos', inativos: 'Inativos' }

export function Barra({ produtos, filtro, onFiltrar, onNovo }: BarraProps) {
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={TITULO} tabIndex={-1} className="text-lg font-bold">
          Produtos
        </h2>
        {produtos.length > 0 && (
          <Button variante="primary" className="min-h-11" onClick={onNovo}>
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
              value={filtro.busca}
              onChange={({ currentTarget }) => onFiltrar({ ...filtro, busca: currentTarget.value })}
            />
          </div>
          <div
            role="group"
            aria-label="Quais produtos mostrar"
            className="grid grid-cols-3 gap-1 rounded-xl bg-sunken p-1 max-sm:w-full"
          >
            {SITUACOES.map((situacao) => (
              <button
                key={situacao}
                type="button"
                aria-pressed={filtro.situacao === situacao}
                onClick={() => onFiltrar({ ...filtro, situacao })}
                className={clsx(
                  'min-h-9 rounded-lg px-3 text-sm font-semibold whitespace-nowrap',
                  filtro.situacao === situacao ? 'bg-surface shadow-card' : 'text-muted',
                )}
              >
                {ROTULO[situacao]} <span className="tabular-nums">{contar(produtos, situacao)}</span>
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}
