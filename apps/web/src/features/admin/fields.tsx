import { Search } from 'lucide-react'
import { useTypedSearch } from '#shared/hooks/use-typed-search.ts'

export interface SearchFieldProps {
  readonly label: string
  readonly hint: string
  readonly search: string
  readonly onChange: (busca: string) => void
}

export function SearchField({ label: rotulo, hint, search, onChange: onMudar }: SearchFieldProps) {
  const { texto, setTexto, sair } = useTypedSearch(search, onMudar)
  return (
    <label className="relative min-w-52 flex-1">
      <span className="sr-only">{rotulo}</span>
      <Search size={16} aria-hidden className="absolute inset-y-0 left-3 my-auto text-muted" />
      <input
        type="search"
        className="field min-h-11 pl-9"
        placeholder={hint}
        maxLength={120}
        value={texto}
        onChange={({ currentTarget }) => setTexto(currentTarget.value)}
        onBlur={sair}
      />
    </label>
  )
}

/** Returns the default for empty or non-numeric text, and null for a number that is not an integer from 1 to the maximum. */
export function parseInteger(typed: string, fallback: number, max: number): number | null {
  const text = typed.trim().replace(',', '.')
  const numero = text === '' ? Number.NaN : Number(text)
  if (Number.isNaN(numero)) return fallback
  return Number.isInteger(numero) && numero >= 1 && numero <= max ? numero : null
}
