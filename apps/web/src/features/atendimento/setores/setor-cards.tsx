import { CARTAO_SETOR_CHEIO } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import { memo } from 'react'
import type { ConversaListFilter } from '#features/atendimento/lista/filters.ts'
import { SetorDot } from '#shared/ui/setor-chip.tsx'
import type { SetorCounts } from './use-setores.ts'

export interface SetorCardsProps {
  readonly setores: readonly Setor[]
  /** Null while unknown. */
  readonly counts: ReadonlyMap<string, SetorCounts> | null
  readonly filter: ConversaListFilter
  readonly onChange: (filter: ConversaListFilter) => void
}

export const SetorCards = memo(function SetorCards({ setores, counts, filter, onChange }: SetorCardsProps) {
  const shown = setores.filter(({ ativo, id }) => ativo || counts?.has(id) === true)
  return (
    <div role="group" aria-label="Setores" className="relative flex w-full min-w-0 gap-2 overflow-x-auto p-1 sm:flex-1">
      {shown.map(({ id, nome, cor, ativo }) => {
        const { total, aguardando } = counts?.get(id) ?? { total: 0, aguardando: 0 }
        return (
          <button
            key={id}
            type="button"
            aria-pressed={filter.setor === id}
            data-setor={id}
            data-inativo={ativo ? undefined : ''}
            onClick={() => onChange({ ...filter, setor: filter.setor === id ? null : id })}
            className="min-h-11 max-w-56 min-w-36 flex-none rounded-xl border bg-surface px-3 py-1.5 sm:min-h-14 sm:py-2 text-left hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft data-[inativo]:border-dashed data-[inativo]:text-muted data-[inativo]:grayscale"
          >
            <span className="flex items-center gap-2">
              <SetorDot cor={cor} className="size-2.5 flex-none" />
              <span className="min-w-0 flex-1 truncate text-sm font-bold">
                {nome}
                {!ativo && <span className="sr-only"> (inativo)</span>}
              </span>
              {counts !== null && (
                <span className="text-sm text-muted tabular-nums">
                  {total}
                  <span className="sr-only"> {total === 1 ? 'conversa' : 'conversas'}</span>
                </span>
              )}
              {aguardando > 0 && (
                <span
                  data-aguardando
                  className="min-w-5 rounded-full bg-danger-soft px-1.5 text-center text-xs font-bold text-danger-ink tabular-nums"
                >
                  {aguardando}
                  <span className="sr-only"> aguardando</span>
                </span>
              )}
            </span>
            <span aria-hidden className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-line">
              <span
                data-barra
                className="block h-full"
                style={{ width: `${Math.min(1, total / CARTAO_SETOR_CHEIO) * 100}%` }}
              >
                <SetorDot cor={cor} className="block h-full w-full" />
              </span>
            </span>
          </button>
        )
      })}
    </div>
  )
})
