import { useId, type ReactNode } from 'react'

export interface FieldWiring {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

export interface FieldProps {
  readonly rotulo: ReactNode
  readonly erro?: string | undefined
  readonly dica?: ReactNode
  readonly aoLado?: ReactNode
  readonly className?: string
  readonly children: (ligacao: FieldWiring) => ReactNode
}

export function Field({ rotulo, erro, dica, aoLado, className, children }: FieldProps) {
  const id = useId()
  const descricoes = [erro !== undefined && `${id}-erro`, dica !== undefined && `${id}-dica`].filter((x) => x !== false)
  return (
    <div className={className}>
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-semibold">
          {rotulo}
        </label>
        {aoLado}
      </div>
      {children({
        id,
        'aria-invalid': erro === undefined ? undefined : true,
        'aria-describedby': descricoes.length === 0 ? undefined : descricoes.join(' '),
      })}
      {dica !== undefined && (
        <p id={`${id}-dica`} className="mt-1 text-sm text-muted">
          {dica}
        </p>
      )}
      {erro !== undefined && (
        <p id={`${id}-erro`} className="mt-1 text-sm font-semibold text-danger-ink">
          {erro}
        </p>
      )}
    </div>
  )
}
