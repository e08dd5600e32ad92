import { Counter } from '#shared/ui/counter.tsx'
import { Field } from '#shared/ui/field.tsx'

export interface LongTextProps {
  readonly name?: string
  readonly label: string
  readonly value: string
  readonly total: number
  readonly rows: number
  readonly error?: string | undefined
  readonly hint?: string
  readonly onChange: (value: string) => void
}

/** The counter does not limit the text. */
export function LongText({ name, label, value, total, rows, error, hint, onChange }: LongTextProps) {
  return (
    <Field label={label} error={error} hint={hint} aside={<Counter usado={value.length} total={total} />}>
      {(link) => (
        <textarea
          {...link}
          name={name}
          rows={rows}
          value={value}
          className="field field-sizing-content max-h-80 min-h-17 resize-y"
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}
