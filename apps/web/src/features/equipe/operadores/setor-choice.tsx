import type { Setor } from '@balcao/contract/entities/config'
import { useId } from 'react'
import { SetorDot } from '#shared/ui/setor-chip.tsx'

export interface SetorChoiceProps {
  readonly setores: readonly Setor[]
  readonly chosen: readonly string[]
  readonly error: string | undefined
  readonly onChange: (escolhidos: string[]) => void
}

/** No choice means all setores. A deleted setor can only be removed. */
export function SetorChoice({ setores, chosen, error, onChange: onMudar }: SetorChoiceProps) {
  const id = useId()
  const sumidos = chosen.filter((um) => setores.every((setor) => setor.id !== um))
  const opcoes = [
    ...setores.filter((setor) => setor.ativo || chosen.includes(setor.id)),
    ...sumidos.map((um) => ({ id: um, nome: um, cor: 'gray' as const })),
  ]
  return (
    <fieldset aria-describedby={error === undefined ? `${id}-dica` : `${id}-erro ${id}-dica`}>
      <legend className="text-sm font-semibold">Setores que atende</legend>
      <p id={`${id}-dica`} className="text-sm text-muted">
        {chosen.length === 0
          ? 'Nenhum marcado: a pessoa atende todos.'
          : 'A lista abre nos setores marcados e só eles avisam. Os outros continuam à vista.'}
      </p>
      <div className="mt-2 grid gap-1.5 sm:grid-cols-2">
        {opcoes.map((setor) => (
          <label
            key={setor.id}
            className="flex min-h-11 min-w-0 items-center gap-3 rounded-[10px] border px-3 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft"
          >
            <input
              type="checkbox"
              name="setores"
              className="size-5 flex-none accent-brand"
              checked={chosen.includes(setor.id)}
              onChange={({ currentTarget: { checked } }) =>
                onMudar(checked ? [...chosen, setor.id] : chosen.filter((um) => um !== setor.id))
              }
            />
            <SetorDot cor={setor.cor} className="size-2.5 flex-none" />
            <span className="min-w-0 truncate font-semibold">{setor.nome}</span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-erro`} className="mt-1 text-sm font-semibold text-danger-ink">
          {error}
        </p>
      )}
    </fieldset>
  )
}
