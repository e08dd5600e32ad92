import { Counter } from '#shared/ui/counter.tsx'
import { Field } from '#shared/ui/field.tsx'

export interface LongTextProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly total: number
  readonly rows: number
  readonly error: string | undefined
  readonly hint?: string
  readonly onChange: (valor: string) => void
}

/** The counter does not limit the text. */
export function LongText({
  name: nome,
  label,
  value: valor,
  total,
  rows: lines,
  error,
  hint,
  onChange: onMudar,
}: LongTextProps) {
  return (
    <Field label={label} error={error} hint={hint} aside={<Counter usado={valor.length} total={total} />}>
      {(link) => (
        <textarea
          {...link}
          name={nome}
          rows={lines}
          value={valor}
          className="field field-sizing-content max-h-80 min-h-17 resize-y"
          onChange={({ currentTarget }) => onMudar(currentTarget.value)}
        />
      )}
    </Field>
  )
}
