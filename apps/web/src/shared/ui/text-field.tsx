import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'

export interface TextFieldProps extends ComponentProps<'input'> {
  readonly label: ReactNode
  readonly error?: string | undefined
  readonly hint?: ReactNode
  readonly aside?: ReactNode
}

export function TextField({ label, error, hint, aside, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} aside={aside}>
      {(link) => <input {...input} {...link} className={clsx('field', className)} />}
    </Field>
  )
}
