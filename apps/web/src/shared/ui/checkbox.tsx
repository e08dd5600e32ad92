import { useId, type ComponentProps, type ReactNode } from 'react'
import { FieldError } from './field.tsx'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: ReactNode
  readonly error?: string | undefined
}

export function Checkbox({ label: rotulo, error, ...input }: CheckboxProps) {
  const id = useId()
  return (
    <div>
      <div className="flex items-start gap-3">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-erro`}
          className="size-5 flex-none accent-brand"
        />
        <label htmlFor={id} className="text-sm">
          {rotulo}
        </label>
      </div>
      <FieldError id={`${id}-erro`} error={error} />
    </div>
  )
}
