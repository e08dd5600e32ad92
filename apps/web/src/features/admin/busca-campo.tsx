import { Search } from 'lucide-react'
import { useBuscaDigitada } from '#shared/hooks/use-busca-digitada.ts'

export interface BuscaProps {
  readonly rotulo: string
  readonly dica: string
  readonly busca: string
  readonly onMudar: (busca: string) => void
}

export function Busca({ rotulo, dica, busca, onMudar }: BuscaProps) {
  const { texto, setTexto, sair } = useBuscaDigitada(busca, onMudar)
  return (
    <label className="relative min-w-52 flex-1">
      <span className="sr-only">{rotulo}</span>
      <Search size={16} aria-hidden className="absolute inset-y-0 left-3 my-auto text-muted" />
      <input
        type="search"
        className="field min-h-11 pl-9"
        placeholder={dica}
        maxLength={120}
        value={texto}
        onChange={({ currentTarget }) => setTexto(currentTarget.value)}
        onBlur={sair}
      />
    </label>
  )
}
