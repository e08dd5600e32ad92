import type { ReactNode } from 'react'
import { useAtendentes } from '#shared/conta/atendentes.ts'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { useUsuario } from '#shared/session.tsx'
import type { ConversaListFilter } from '#features/atendimento/lista/filters.ts'

interface FilterSelectProps {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly children: ReactNode
}

function FilterSelect({ label, value, onChange, children }: FilterSelectProps) {
  return (
    <select
      aria-label={label}
      className="field min-w-0 px-2 py-1 text-sm"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    >
      {children}
    </select>
  )
}

interface MoreFiltersProps {
  readonly filter: ConversaListFilter
  readonly onChange: (filter: ConversaListFilter) => void
}

export function MoreFilters({ filter, onChange }: MoreFiltersProps) {
  const { id: myId } = useUsuario()
  const people = useAtendentes().filter(({ id }) => id !== myId)
  const { data: etiquetas = [] } = useEtiquetas()
  return (
    <div className="grid grid-cols-2 gap-1.5">
      <FilterSelect label="Pessoa" value={filter.operador} onChange={(operador) => onChange({ ...filter, operador })}>
        <option value="">Pessoas</option>
        <option value={myId}>Minhas</option>
        <option value="ninguem">Sem atendente</option>
        {people.map(({ id, nome }) => (
          <option key={id} value={id}>
            {nome}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect label="Etiqueta" value={filter.etiqueta} onChange={(etiqueta) => onChange({ ...filter, etiqueta })}>
        <option value="">Etiquetas</option>
        {etiquetas.map(({ id, nome }) => (
          <option key={id} value={id}>
            {nome}
          </option>
        ))}
      </FilterSelect>
    </div>
  )
}
