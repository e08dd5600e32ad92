import { TextField, type TextFieldProps } from '#shared/ui/text-field.tsx'

interface IntegerFieldProps extends Omit<TextFieldProps, 'onChange' | 'value'> {
  readonly value: string
  /** Digits at most. */
  readonly digits: number
  readonly onChange: (value: string) => void
}

/** Keeps the digits of the typed text. It may be empty. */
export function IntegerField({ digits, onChange, ...field }: IntegerFieldProps) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="off"
      {...field}
      onChange={({ currentTarget }) => onChange(currentTarget.value.replace(/\D/g, '').slice(0, digits))}
    />
  )
}
