import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'value'> {
  readonly rotulo: ReactNode
  readonly value: string
  /** Shown as `56/1000`; never enforced (spec §5). */
  readonly contador?: number
  readonly erro?: string | undefined
  readonly dica?: ReactNode
}

export function TextArea({ rotulo, value, contador, erro, dica, className, ...area }: TextAreaProps) {
  return (
    <Field
      rotulo={rotulo}
      erro={erro}
      dica={dica}
      aoLado={contador === undefined ? undefined : <Counter usado={value.length} total={contador} />}
    >
      {(ligacao) => <textarea {...area} {...ligacao} value={value} className={clsx('field resize-y', className)} />}
    </Field>
  )
}

export function Counter({ usado, total }: { usado: number; total: number }) {
  return (
    <span className={clsx('text-xs tabular-nums', usado > total ? 'font-semibold text-warn-ink' : 'text-muted')}>
      {usado}/{total}
    </span>
  )
}
