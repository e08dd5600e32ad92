import type { Linha } from '@balcao/contract/entities/linha'
import { type ReactNode, useId } from 'react'
import { Select } from '#shared/ui/select.tsx'

/** Instead of a line: the settings that all lines follow. */
export const CONTA_CHOICE = ''

interface LinhaChoiceProps {
  readonly linhas: readonly Linha[]
  readonly value: string
  /** Name of the entry before the lines. Absent: there is none. */
  readonly contaLabel?: string
  readonly disabled?: boolean
  readonly hint?: ReactNode
  readonly onChange: (id: string) => void
}

/** Chooses the line of a screen. Shown only by accounts with more than one. */
export function LinhaChoice({ linhas, value, contaLabel, disabled = false, hint, onChange }: LinhaChoiceProps) {
  const conta = contaLabel === undefined ? [] : [{ valor: CONTA_CHOICE, rotulo: contaLabel }]
  return (
    <Select
      label="Linha"
      className="max-w-md"
      value={value}
      options={[...conta, ...linhas.map(({ id, nome }) => ({ valor: id, rotulo: nome }))]}
      disabled={disabled}
      hint={hint}
      onChange={onChange}
    />
  )
}

interface SectionChoiceProps<V extends string> {
  readonly label: string
  readonly value: V
  readonly options: readonly { readonly valor: V; readonly rotulo: string }[]
  readonly disabled?: boolean
  readonly error?: string | undefined
  readonly onChange: (valor: V) => void
}

/** Whether a part of the settings of a line is the account's. */
export function SectionChoice<V extends string>(props: SectionChoiceProps<V>) {
  const { label, value, options, disabled = false, error, onChange } = props
  const name = useId()
  return (
    <fieldset disabled={disabled} className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map(({ valor, rotulo }) => (
          <label
            key={valor}
            className="flex min-h-11 cursor-pointer items-center gap-2 rounded-[10px] border border-line-strong/50 px-3 text-sm font-semibold has-checked:border-brand has-checked:bg-brand-soft"
          >
            <input
              type="radio"
              className="accent-brand"
              name={name}
              checked={valor === value}
              onChange={() => onChange(valor)}
            />
            {rotulo}
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-sm font-semibold text-danger-ink">
          {error}
        </p>
      )}
    </fieldset>
  )
}
