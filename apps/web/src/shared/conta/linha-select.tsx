import { Select } from '#shared/ui/select.tsx'
import { useReadableLinhas } from './linha-look.ts'

interface LinhaSelectProps {
  /** Null: all lines. */
  readonly value: string | null
  readonly onChange: (linha: string | null) => void
  readonly className?: string
}

/** Nothing with one line, unless an address still asks for a line. */
export function LinhaSelect({ value, onChange, className }: LinhaSelectProps) {
  const linhas = useReadableLinhas()
  if (linhas.length === 0 && value === null) return null
  const missing = value !== null && linhas.every(({ id }) => id !== value)
  return (
    <Select
      label="Linha"
      className={className}
      value={value ?? ''}
      options={[
        { valor: '', rotulo: 'Todas as linhas' },
        ...linhas.map(({ id, nome }) => ({ valor: id, rotulo: nome })),
        ...(missing ? [{ valor: value, rotulo: 'Outra linha' }] : []),
      ]}
      onChange={(linha) => onChange(linha === '' ? null : linha)}
    />
  )
}
