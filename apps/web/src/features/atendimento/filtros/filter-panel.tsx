import { mayReadSetor, readerOf } from '@balcao/contract/conversa-access'
import type { ConversaStatusFilter } from '#features/atendimento/lista/filters.ts'
import { useSetorCounts, useSetoresWithDefault } from '#features/atendimento/setores/use-setores.ts'
import { useAtendentes } from '#shared/conta/atendentes.ts'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { useUsuario } from '#shared/session.tsx'
import { FilterSelect } from './filter-select.tsx'
import { LinhaCards } from './linha-cards.tsx'
import { type FilterPanelProps, SetorCards } from './setor-cards.tsx'

const STATUS_FILTERS: readonly { readonly status: ConversaStatusFilter; readonly label: string }[] = [
  { status: 'aguardando', label: 'Aguardando' },
  { status: 'em_atendimento', label: 'Em atendimento' },
  { status: 'finalizada', label: 'Finalizadas' },
  { status: 'bot', label: 'Com o bot' },
]

const PILL_CLASS =
  'min-h-11 rounded-full border px-2 text-sm font-semibold text-muted hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink lg:min-h-8 lg:text-xs'

function StatusPills({ filter, onChange }: Pick<FilterPanelProps, 'filter' | 'onChange'>) {
  const { visao, status: chosen } = filter
  const unanswered = visao === 'semResposta' && chosen === 'todos'
  const onlyAll = visao === 'todas' && chosen === 'todos'
  return (
    <div role="group" aria-label="Status" className="grid grid-cols-2 gap-1.5">
      <button
        type="button"
        aria-pressed={onlyAll}
        className={PILL_CLASS}
        onClick={() => onChange({ ...filter, visao: 'todas', status: 'todos' })}
      >
        Todas abertas
      </button>
      <button
        type="button"
        aria-pressed={unanswered}
        className={PILL_CLASS}
        onClick={() => onChange({ ...filter, visao: unanswered ? 'todas' : 'semResposta', status: 'todos' })}
      >
        Sem resposta
      </button>
      {STATUS_FILTERS.map(({ status, label }) => (
        <button
          key={status}
          type="button"
          aria-pressed={chosen === status}
          className={PILL_CLASS}
          onClick={() => onChange({ ...filter, visao: 'todas', status: chosen === status ? 'todos' : status })}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

function PeopleAndEtiquetas({ filter, onChange }: Pick<FilterPanelProps, 'filter' | 'onChange'>) {
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

export function FilterPanel(props: FilterPanelProps) {
  const { filter, onChange, conversas, hasMore } = props
  const reader = readerOf(useUsuario())
  const counts = useSetorCounts(conversas, hasMore)
  // A conversa that the operador serves may be in a setor that they may not read.
  const setores = useSetoresWithDefault().filter(({ id }) => mayReadSetor(reader, id) || counts.has(id))
  return (
    <div className="grid max-h-[min(70dvh,32rem)] gap-1.5 overflow-y-auto p-2">
      <LinhaCards {...props} />
      <SetorCards {...{ setores, counts, filter, onChange }} />
      <StatusPills filter={filter} onChange={onChange} />
      <PeopleAndEtiquetas filter={filter} onChange={onChange} />
    </div>
  )
}
