import type { Contagens } from '@balcao/contract/entities/contagens'
import clsx from 'clsx'
import type { ListView } from '#features/atendimento/lista/views.ts'
import type { ConversaListFilter } from '#features/atendimento/lista/filters.ts'

type TabName = Exclude<ListView, 'semResposta'>

const TABS: readonly { readonly visao: TabName; readonly label: string; readonly alert: string }[] = [
  { visao: 'minhas', label: 'Minhas', alert: 'text-danger-ink' },
  { visao: 'fila', label: 'Fila', alert: 'text-danger-ink' },
  { visao: 'mencoes', label: 'Menções', alert: 'text-brand-ink' },
  { visao: 'todas', label: 'Todas', alert: '' },
]

/** `minhas` needs the person only while a customer has no answer. */
function needsPerson(visao: TabName, contagens: Contagens): boolean {
  return visao === 'minhas' ? contagens.minhasSemResposta > 0 : contagens[visao] > 0
}

export interface ViewTabsProps {
  readonly filter: ConversaListFilter
  readonly contagens: Contagens | undefined
  readonly onChange: (filter: ConversaListFilter) => void
}

/** On a phone the number is below the name, so that four views fit. */
export function ViewTabs({ filter, contagens, onChange }: ViewTabsProps) {
  return (
    <div role="group" aria-label="Visões" className="flex min-w-0 flex-1">
      {TABS.map(({ visao, label, alert }) => (
        <button
          key={visao}
          type="button"
          data-visao={visao}
          aria-pressed={filter.visao === visao && filter.status === 'todos'}
          onClick={() => onChange({ ...filter, visao, status: 'todos' })}
          className="flex min-h-11 min-w-0 flex-auto flex-col items-center justify-center border-b-2 border-transparent px-1 text-xs leading-4 font-semibold text-muted hover:bg-sunken aria-pressed:border-brand aria-pressed:text-brand-ink lg:min-h-9 lg:flex-row lg:gap-1"
        >
          <span>{label} </span>
          {contagens !== undefined && (
            <span className={clsx('tabular-nums', needsPerson(visao, contagens) && `font-bold ${alert}`)}>
              {contagens[visao]}
            </span>
          )}
        </button>
      ))}
    </div>
  )
}
