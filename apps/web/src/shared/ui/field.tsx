import { useId, type ReactNode } from 'react'

export interface FieldWiring {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

export interface FieldProps {
  readonly label: ReactNode
  readonly error?: string | undefined
  readonly hint?: ReactNode
  readonly aside?: ReactNode
  /** Only screen readers get the label, where the field's place explains it. */
  readonly hideLabel?: boolean
  readonly className?: string
  readonly children: (link: FieldWiring) => ReactNode
}

export function Field({ label: rotulo, error, hint, aside, hideLabel = false, className, children }: FieldProps) {
  const id = useId()
  const descricoes = [error !== undefined && `${id}-erro`, hint !== undefined && `${id}-dica`].filter(
    (x) => x !== false,
  )
  return (
    <div className={className}>
      <div className={hideLabel ? 'sr-only' : 'mb-1 flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className="text-sm font-semibold">
          {rotulo}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': descricoes.length === 0 ? undefined : descricoes.join(' '),
      })}
      {hint !== undefined && (
        <p id={`${id}-dica`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-erro`} error={error} />
    </div>
  )
}

export function FieldError({ id, error }: { readonly id: string; readonly error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p id={id} className="mt-1 text-sm font-semibold text-danger-ink">
      {error}
    </p>
  )
}
