import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'

export interface TextFieldProps extends ComponentProps<'input'> {
  readonly rotulo: ReactNode
  readonly erro?: string | undefined
  readonly dica?: ReactNode
  readonly aoLado?: ReactNode
}

export function TextField({ rotulo, erro, dica, aoLado, className, ...input }: TextFieldProps) {
  return (
    <Field rotulo={rotulo} erro={erro} dica={dica} aoLado={aoLado}>
      {(ligacao) => <input {...input} {...ligacao} className={clsx('field', className)} />}
    </Field>
  )
}
