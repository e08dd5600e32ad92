import type { ReactNode } from 'react'

interface FilterSelectProps {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly children: ReactNode
}

export function FilterSelect({ label, value, onChange, children }: FilterSelectProps) {
  return (
    <select
      aria-label={label}
      className="field min-w-0 px-2 py-1 text-sm"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    >
      {children}
    </select>
  )
}
