import { TEMPERATURA } from '@balcao/contract/constants'
import type { ReactNode } from 'react'
import { Field } from '#shared/ui/field.tsx'

const LIMITS = {
  temperatura: { min: TEMPERATURA.minimo, max: TEMPERATURA.maximo, step: TEMPERATURA.passo },
  espera: { min: 0, max: 30, step: 1 },
} as const

export interface RangeFieldProps {
  readonly name: string
  readonly label: string
  readonly shownValue: string
  readonly value: number
  readonly endLabels: readonly [string, string]
  readonly limits: keyof typeof LIMITS
  readonly error: string | undefined
  readonly hint?: ReactNode
  readonly onChange: (value: number) => void
}

export function RangeField({
  name,
  label,
  shownValue,
  value,
  endLabels,
  limits,
  error,
  hint,
  onChange,
}: RangeFieldProps) {
  return (
    <Field label={`${label}: ${shownValue}`} error={error} hint={hint}>
      {(link) => (
        <>
          <input
            {...link}
            {...LIMITS[limits]}
            type="range"
            name={name}
            value={value}
            aria-valuetext={shownValue}
            className="h-11 w-full cursor-pointer accent-brand"
            onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
          />
          <span className="-mt-2 flex justify-between text-sm text-muted" aria-hidden>
            <span>{endLabels[0]}</span>
            <span>{endLabels[1]}</span>
          </span>
        </>
      )}
    </Field>
  )
}
