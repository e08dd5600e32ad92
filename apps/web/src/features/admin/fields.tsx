import { Search } from 'lucide-react'
import { useTypedSearch } from '#shared/hooks/use-typed-search.ts'

export interface SearchFieldProps {
  readonly label: string
  readonly hint: string
  readonly search: string
  readonly onChange: (busca: string) => void
}

export function SearchField({ label, hint, search, onChange }: SearchFieldProps) {
  const { texto, setTexto, sair } = useTypedSearch(search, onChange)
  return (
    <label className="relative min-w-52 flex-1">
      <span className="sr-only">{label}</span>
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
  const number = text === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) return fallback
  return Number.isInteger(number) && number >= 1 && number <= max ? number : null
}
