import type { ReactNode } from 'react'
import { Field } from '#shared/ui/field.tsx'
import { cleanPrice, formatPriceInput, parsePrice } from './price.ts'

export interface MoneyFieldProps {
  readonly label: ReactNode
  /** As typed. `parsePrice` and `parseCents` read it. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly name?: string
  readonly error?: string | undefined
  readonly hint?: ReactNode
  readonly hideLabel?: boolean
  readonly required?: boolean
}

/** A sum in reais. Leaving the field completes it: `7.5` becomes `7,50`. */
export function MoneyField({ label, value, onChange, name, error, hint, hideLabel, required }: MoneyFieldProps) {
  const tidy = (): void => {
    const price = parsePrice(value)
    const whole = price === null ? '' : formatPriceInput(price)
    if (whole !== value) onChange(whole)
  }
  return (
    <Field label={label} error={error} hint={hint} hideLabel={hideLabel ?? false}>
      {(link) => (
        <div className="relative">
          <span aria-hidden className="absolute inset-y-0 left-3 grid place-items-center text-muted">
            R$
          </span>
          <input
            {...link}
            name={name}
            required={required}
            inputMode="decimal"
            autoComplete="off"
            placeholder="0,00"
            maxLength={16}
            className="field pl-10 tabular-nums"
            value={value}
            onChange={({ currentTarget }) => onChange(cleanPrice(currentTarget.value))}
            onBlur={tidy}
          />
        </div>
      )}
    </Field>
  )
}
