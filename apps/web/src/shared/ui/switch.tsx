import { useId, type ReactNode } from 'react'

export interface SwitchProps {
  readonly label: ReactNode
  readonly on: boolean
  readonly onChange: (enabled: boolean) => void
  readonly hint?: ReactNode
  readonly disabled?: boolean
}

export function Switch({ label: rotulo, on, onChange: onMudar, hint, disabled = false }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <label htmlFor={id} className="min-w-0 py-0.5">
        <span className="font-semibold">{rotulo}</span>
        {hint !== undefined && (
          <span id={`${id}-dica`} className="block text-sm text-muted">
            {hint}
          </span>
        )}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        checked={on}
        aria-checked={on}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-dica`}
        onChange={({ currentTarget }) => onMudar(currentTarget.checked)}
      />
    </div>
  )
}
