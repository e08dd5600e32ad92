import type { Setor } from '@balcao/contract/entities/config'
import { useId } from 'react'
import { FieldError } from '#shared/ui/field.tsx'
import { SetorDot } from '#shared/ui/setor-chip.tsx'
import { setoresRoute } from '@balcao/contract/routes/atendimento-resumo'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

interface SetorChoiceProps {
  readonly legend: string
  readonly hint: string
  readonly setores: readonly Setor[]
  readonly chosen: readonly string[]
  readonly error: string | undefined
  readonly onChange: (chosen: string[]) => void
}

/** No choice means all setores. A deleted setor can only be removed. */
export function SetorChoice({ legend, hint, setores, chosen, error, onChange }: SetorChoiceProps) {
  const id = useId()
  const deleted = chosen.filter((chosenId) => setores.every(({ id }) => id !== chosenId))
  const options = [
    ...setores.filter((setor) => setor.ativo || chosen.includes(setor.id)),
    ...deleted.map((id) => ({ id, nome: id, cor: 'gray' as const })),
  ]
  return (
    <fieldset aria-describedby={error === undefined ? `${id}-dica` : `${id}-erro ${id}-dica`}>
      <legend className="text-sm font-semibold">{legend}</legend>
      <p id={`${id}-dica`} className="text-sm text-muted">
        {hint}
      </p>
      <div className="mt-2 grid gap-1.5 sm:grid-cols-2">
        {options.map((setor) => (
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
                onChange(checked ? [...chosen, setor.id] : chosen.filter((id) => id !== setor.id))
              }
            />
            <SetorDot cor={setor.cor} className="size-2.5 flex-none" />
            <span className="min-w-0 truncate font-semibold">{setor.nome}</span>
          </label>
        ))}
      </div>
      <FieldError id={`${id}-erro`} error={error} />
    </fieldset>
  )
}

const NO_SETORES: readonly Setor[] = []

/** Uses the same cache entry as the tab atendimento. Empty while unknown. */
export function useSetores(): readonly Setor[] {
  const { data } = useQuery({
    queryKey: ['atendimento', 'setores'],
    queryFn: async ({ signal }) => (await call(setoresRoute, { signal })).setores,
    networkMode: 'always',
  })
  return data ?? NO_SETORES
}

type DisplaySetor = Pick<Setor, 'nome' | 'cor'>

export function findSetor(setores: readonly Setor[], id: string): DisplaySetor {
  return setores.find((setor) => setor.id === id) ?? { nome: id, cor: 'gray' }
}
