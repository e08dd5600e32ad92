import { CARTAO_SETOR_CHEIO } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ConversaListFilter } from '#features/atendimento/lista/filters.ts'
import { SetorDot } from '#shared/ui/setor-chip.tsx'
import type { SetorCounts } from '#features/atendimento/setores/use-setores.ts'

export interface FilterPanelProps {
  readonly filter: ConversaListFilter
  readonly onChange: (filter: ConversaListFilter) => void
  /** The loaded open conversas. `hasMore`: the server has others. */
  readonly conversas: readonly Conversa[]
  readonly hasMore: boolean
}

export interface SetorCardsProps {
  readonly setores: readonly Setor[]
  readonly counts: ReadonlyMap<string, SetorCounts>
  readonly filter: ConversaListFilter
  readonly onChange: (filter: ConversaListFilter) => void
}

export const FILTER_CARD_CLASS =
  'relative min-h-11 min-w-0 rounded-[10px] border bg-surface px-2.5 text-left hover:bg-sunken lg:min-h-9 aria-pressed:border-brand aria-pressed:bg-brand-soft data-[inativo]:border-dashed data-[inativo]:text-muted data-[inativo]:grayscale'

export function ConversaCount({ total }: { readonly total: number }) {
  return (
    <span className="text-sm text-muted tabular-nums">
      {total}
      <span className="sr-only"> {total === 1 ? 'conversa' : 'conversas'}</span>
    </span>
  )
}

interface SetorTabProps extends Pick<Setor, 'nome' | 'cor' | 'ativo'> {
  readonly counts: SetorCounts
}

function SetorTab({ nome, cor, ativo, counts: { total, aguardando } }: SetorTabProps) {
  return (
    <>
      <span className="flex items-center gap-1.5">
        <SetorDot cor={cor} className="size-2 flex-none" />
        <span className="min-w-0 flex-1 truncate text-sm font-bold">
          {nome}
          {!ativo && <span className="sr-only"> (inativo)</span>}
        </span>
        <ConversaCount total={total} />
        {aguardando > 0 && (
          <span
            data-aguardando
            className="min-w-5 rounded-full bg-danger-soft px-1.5 text-center text-xs leading-5 font-bold text-danger-ink tabular-nums"
          >
            {aguardando}
            <span className="sr-only"> aguardando</span>
          </span>
        )}
      </span>
      <span aria-hidden className="absolute inset-x-2.5 bottom-0.5 h-0.5 overflow-hidden rounded-full">
        <span
          data-barra
          className="block h-full"
          style={{ width: `${Math.min(1, total / CARTAO_SETOR_CHEIO) * 100}%` }}
        >
          <SetorDot cor={cor} className="block h-full w-full" />
        </span>
      </span>
    </>
  )
}

export function SetorCards({ setores, counts, filter, onChange }: SetorCardsProps) {
  const shown = setores.filter(({ ativo, id }) => ativo || counts.has(id))
  return (
    <div role="group" aria-label="Setores" className="grid grid-cols-2 gap-1.5">
      {shown.map(({ id, nome, cor, ativo }) => (
        <button
          key={id}
          type="button"
          aria-pressed={filter.setor === id}
          data-setor={id}
          data-inativo={ativo ? undefined : ''}
          onClick={() => onChange({ ...filter, setor: filter.setor === id ? null : id })}
          className={FILTER_CARD_CLASS}
        >
          <SetorTab nome={nome} cor={cor} ativo={ativo} counts={counts.get(id) ?? EMPTY} />
        </button>
      ))}
    </div>
  )
}

const EMPTY: SetorCounts = { total: 0, aguardando: 0 }
