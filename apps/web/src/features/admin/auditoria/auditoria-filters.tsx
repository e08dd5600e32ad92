import { ACOES_AUDITORIA } from '@balcao/contract/administration'
import { Select, type SelectProps } from '#shared/ui/select.tsx'
import { SearchField } from '#features/admin/search-field.tsx'
import type { AuditoriaViewFilter } from '#features/admin/admin-search.ts'
import { AUDITORIA_ACTION_LABEL } from './auditoria-labels.ts'

const ACTIONS = [
  { valor: 'todas' as const, rotulo: 'Todas' },
  ...ACOES_AUDITORIA.map((action) => ({ valor: action, rotulo: AUDITORIA_ACTION_LABEL[action] })).toSorted((a, b) =>
    a.rotulo.localeCompare(b.rotulo, 'pt-BR'),
  ),
]
const PERIODS: readonly { readonly valor: AuditoriaViewFilter['periodo']; readonly rotulo: string }[] = [
  { valor: 'hoje', rotulo: 'Hoje' },
  { valor: '7dias', rotulo: 'Últimos 7 dias' },
  { valor: '30dias', rotulo: 'Últimos 30 dias' },
  { valor: 'tudo', rotulo: 'Tudo' },
]
const RESULTS: readonly { readonly valor: AuditoriaViewFilter['resultado']; readonly rotulo: string }[] = [
  { valor: 'todos', rotulo: 'Todos' },
  { valor: 'feito', rotulo: 'Feito' },
  { valor: 'recusado', rotulo: 'Recusado' },
]

/** Grows with the window and wraps before it gets too narrow to read. */
function FilterSelect<V extends string>({ largo = false, ...select }: SelectProps<V> & { readonly largo?: boolean }) {
  return (
    <div className={largo ? 'min-w-52 flex-1' : 'min-w-28 flex-1'}>
      <Select {...select} className="min-h-11" />
    </div>
  )
}

export interface AuditoriaFiltersProps {
  readonly filter: AuditoriaViewFilter
  readonly onChange: (change: Partial<AuditoriaViewFilter>) => void
}

export function AuditoriaFilters({ filter, onChange: onMudar }: AuditoriaFiltersProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="flex min-w-52 flex-1">
        <SearchField
          label="Buscar por nome, e-mail ou endereço IP"
          hint="Nome, e-mail ou endereço IP"
          search={filter.busca}
          onChange={(busca) => onMudar({ busca })}
        />
      </div>
      <FilterSelect largo label="Ação" value={filter.acao} options={ACTIONS} onChange={(acao) => onMudar({ acao })} />
      <FilterSelect
        label="Período"
        value={filter.periodo}
        options={PERIODS}
        onChange={(periodo) => onMudar({ periodo })}
      />
      <FilterSelect
        label="Resultado"
        value={filter.resultado}
        options={RESULTS}
        onChange={(resultado) => onMudar({ resultado })}
      />
    </div>
  )
}
