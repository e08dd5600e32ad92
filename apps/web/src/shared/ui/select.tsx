import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'

export interface SelectProps<V extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  readonly rotulo: ReactNode
  readonly value: V
  readonly opcoes: readonly { readonly valor: V; readonly rotulo: string }[]
  readonly onChange: (valor: V) => void
  readonly erro?: string | undefined
  readonly dica?: ReactNode
}

/** The native select, because it works on every phone. */
export function Select<V extends string>({
  rotulo,
  value,
  opcoes,
  onChange,
  erro,
  dica,
  className,
  ...select
}: SelectProps<V>) {
  return (
    <Field rotulo={rotulo} erro={erro} dica={dica}>
      {(ligacao) => (
        <select
          {...select}
          {...ligacao}
          value={value}
          className={clsx('field', className)}
          onChange={({ currentTarget }) => {
            const escolhida = opcoes.find(({ valor }) => valor === currentTarget.value)
            if (escolhida !== undefined) onChange(escolhida.valor)
          }}
        >
          {opcoes.map(({ valor, rotulo: texto }) => (
            <option key={valor} value={valor}>
              {texto}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
