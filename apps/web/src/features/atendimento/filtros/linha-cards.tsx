import { mayReadLinha, readerOf } from '@balcao/contract/conversa-access'
import { LinhaMark } from '#shared/conta/linha-mark.tsx'
import { useManyLinhas } from '#shared/conta/linhas.ts'
import { useUsuario } from '#shared/session.tsx'
import { FilterSelect } from './filter-select.tsx'
import type { FilterPanelProps } from './setor-cards.tsx'
import { ConversaCount, FILTER_CARD_CLASS } from './setor-cards.tsx'

/** More cards would push the other filters out of sight. */
const CARDS_MAX = 6

/** Nothing while there is one line to choose. The server has no totals of lines, so with more pages no number is shown. */
export function LinhaCards({ filter, onChange, conversas, hasMore }: FilterPanelProps) {
  const reader = readerOf(useUsuario())
  const countOf = (id: string): number => conversas.filter(({ linha }) => linha?.id === id).length
  // A conversa that the operador serves may be on a line that they may not read.
  const linhas = useManyLinhas().filter(({ id }) => mayReadLinha(reader, id) || countOf(id) > 0)
  if (linhas.length < 2) return null
  if (linhas.length > CARDS_MAX) {
    return (
      <FilterSelect label="Linha" value={filter.linha} onChange={(linha) => onChange({ ...filter, linha })}>
        <option value="">Linhas</option>
        {linhas.map(({ id, nome }) => (
          <option key={id} value={id}>
            {nome}
          </option>
        ))}
      </FilterSelect>
    )
  }
  return (
    <div role="group" aria-label="Linhas" className="grid grid-cols-2 gap-1.5">
      {linhas.map((linha) => (
        <button
          key={linha.id}
          type="button"
          aria-pressed={filter.linha === linha.id}
          data-inativo={linha.ativa ? undefined : ''}
          onClick={() => onChange({ ...filter, linha: filter.linha === linha.id ? null : linha.id })}
          className={FILTER_CARD_CLASS}
        >
          <span className="flex items-center gap-1.5">
            <LinhaMark linha={linha} className="flex-1 text-sm font-bold" />
            {!linha.ativa && <span className="sr-only"> (inativa)</span>}
            {!hasMore && <ConversaCount total={countOf(linha.id)} />}
          </span>
        </button>
      ))}
    </div>
  )
}
