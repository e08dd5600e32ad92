import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { lazy, Suspense } from 'react'
import type { RowSelection } from '#shared/selection/use-row-selection.ts'
import { FilterBar, type FilterBarProps } from './filter-bar.tsx'

const SelectionBar = lazy(async () => ({
  default: (await import('#features/atendimento/selecao/selection-bar.tsx')).SelectionBar,
}))

interface ListHeadProps extends FilterBarProps {
  readonly rows: RowSelection
  readonly listed: readonly Conversa[]
  readonly setores: readonly Setor[]
}

/** Search and views, or the acts on the chosen rows in their place. */
export function ListHead({ rows, listed, setores, ...filters }: ListHeadProps) {
  const count = rows.ids.size
  const filterBar = <FilterBar {...filters} />
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {count > 0 && `${count} ${count === 1 ? 'conversa selecionada' : 'conversas selecionadas'}`}
      </p>
      {count === 0 ? (
        filterBar
      ) : (
        <Suspense fallback={filterBar}>
          <SelectionBar rows={rows} conversas={listed} setores={setores} />
        </Suspense>
      )}
    </>
  )
}
