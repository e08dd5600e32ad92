import { useId, type ReactNode } from 'react'

export interface SwitchProps {
  readonly rotulo: ReactNode
  readonly ligado: boolean
  readonly onMudar: (ligado: boolean) => void
  readonly dica?: ReactNode
  readonly disabled?: boolean
}

export function Switch({ rotulo, ligado, onMudar, dica, disabled = false }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <label htmlFor={id} className="min-w-0 py-0.5">
        <span className="font-semibold">{rotulo}</span>
        {dica !== undefined && (
          <span id={`${id}-dica`} className="block text-sm text-muted">
            {dica}
          </span>
        )}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        checked={ligado}
        aria-checked={ligado}
        disabled={disabled}
        aria-describedby={dica === undefined ? undefined : `${id}-dica`}
        onChange={({ currentTarget }) => onMudar(currentTarget.checked)}
      />
    </div>
  )
}
