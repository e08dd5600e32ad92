import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'

export interface SelectProps<V extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  readonly label: ReactNode
  readonly value: V
  readonly options: readonly { readonly valor: V; readonly rotulo: string }[]
  readonly onChange: (valor: V) => void
  readonly error?: string | undefined
  readonly hint?: ReactNode
}

/** The native select, because it works on every phone. */
export function Select<V extends string>({
  label,
  value,
  options,
  onChange,
  error,
  hint,
  className,
  ...select
}: SelectProps<V>) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(link) => (
        <select
          {...select}
          {...link}
          value={value}
          className={clsx('field', className)}
          onChange={({ currentTarget }) => {
            const chosen = options.find(({ valor }) => valor === currentTarget.value)
            if (chosen !== undefined) onChange(chosen.valor)
          }}
        >
          {options.map(({ valor, rotulo: text }) => (
            <option key={valor} value={valor}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
