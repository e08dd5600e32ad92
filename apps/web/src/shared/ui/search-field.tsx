import { Search } from 'lucide-react'
import { useTypedSearch } from '#shared/hooks/use-typed-search.ts'

export interface SearchFieldProps {
  readonly label: string
  readonly hint: string
  readonly search: string
  readonly onChange: (busca: string) => void
  readonly className?: string
  readonly maxLength?: number
}

/** Searches after a pause in typing. */
export function SearchField(props: SearchFieldProps) {
  const { label, hint, search, onChange, className = 'min-w-52 flex-1', maxLength = 120 } = props
  const { texto, setTexto, sair } = useTypedSearch(search, onChange)
  return (
    <label className={`relative ${className}`}>
      <span className="sr-only">{label}</span>
      <Search size={18} aria-hidden className="absolute inset-y-0 left-3 my-auto text-muted" />
      <input
        type="search"
        className="field min-h-11 pl-10"
        placeholder={hint}
        maxLength={maxLength}
        value={texto}
        onChange={({ currentTarget }) => setTexto(currentTarget.value)}
        onBlur={sair}
      />
    </label>
  )
}
