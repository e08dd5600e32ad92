import type { Setor } from '@balcao/contract/entities/config'
import { type ReactNode, useId } from 'react'
import { FieldError } from '#shared/ui/field.tsx'
import { SetorDot } from '#shared/ui/setor-chip.tsx'
import { setoresRoute } from '@balcao/contract/routes/atendimento-resumo'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

interface ChoiceItemProps {
  readonly name: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly children: ReactNode
}

export function ChoiceItem({ name, checked, onChange, children }: ChoiceItemProps) {
  return (
    <label className="flex min-h-11 min-w-0 items-center gap-3 rounded-[10px] border px-3 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft">
      <input
        type="checkbox"
        name={name}
        className="size-5 flex-none accent-brand"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {children}
    </label>
  )
}

interface ChoiceFrameProps {
  readonly legend: string
  readonly hint: ReactNode
  readonly error: string | undefined
  readonly children: ReactNode
}

export function ChoiceFrame({ legend, hint, error, children }: ChoiceFrameProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={error === undefined ? `${id}-dica` : `${id}-erro ${id}-dica`}>
      <legend className="text-sm font-semibold">{legend}</legend>
      <p id={`${id}-dica`} className="text-sm text-muted">
        {hint}
      </p>
      <div className="mt-2 grid gap-1.5 sm:grid-cols-2">{children}</div>
      <FieldError id={`${id}-erro`} error={error} />
    </fieldset>
  )
}

interface SetorChoiceProps extends Pick<ChoiceFrameProps, 'legend' | 'hint' | 'error'> {
  readonly setores: readonly Setor[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
}

/** No choice means all setores. A deleted setor can only be removed. */
export function SetorChoice({ setores, chosen, onChange, ...frame }: SetorChoiceProps) {
  const deleted = chosen.filter((chosenId) => setores.every(({ id }) => id !== chosenId))
  const options = [
    ...setores.filter((setor) => setor.ativo || chosen.includes(setor.id)),
    ...deleted.map((id) => ({ id, nome: id, cor: 'gray' as const })),
  ]
  return (
    <ChoiceFrame {...frame}>
      {options.map((setor) => (
        <ChoiceItem
          key={setor.id}
          name="setores"
          checked={chosen.includes(setor.id)}
          onChange={(checked) => onChange(checked ? [...chosen, setor.id] : chosen.filter((id) => id !== setor.id))}
        >
          <SetorDot cor={setor.cor} className="size-2.5 flex-none" />
          <span className="min-w-0 truncate font-semibold">{setor.nome}</span>
        </ChoiceItem>
      ))}
    </ChoiceFrame>
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
