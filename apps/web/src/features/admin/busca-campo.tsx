import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'

/** A pause in typing, before the server is asked. */
const PAUSA_MS = 300

export interface BuscaProps {
  readonly rotulo: string
  readonly dica: string
  /** What the address says. */
  readonly busca: string
  readonly onMudar: (busca: string) => void
}

/** Typed here, asked after a pause. What the address says wins when it changes by itself: Back, or a cleared filter. */
export function Busca({ rotulo, dica, busca, onMudar }: BuscaProps) {
  const [escrita, setEscrita] = useState(busca)
  const [doEndereco, setDoEndereco] = useState(busca)
  if (doEndereco !== busca) {
    setDoEndereco(busca)
    if (escrita.trim() !== busca) setEscrita(busca)
  }
  useEffect(() => {
    if (escrita.trim() === busca) return
    const pausa = setTimeout(() => onMudar(escrita.trim()), PAUSA_MS)
    return () => clearTimeout(pausa)
  }, [escrita, busca, onMudar])
  return (
    <label className="relative min-w-52 flex-1">
      <span className="sr-only">{rotulo}</span>
      <Search size={16} aria-hidden className="absolute inset-y-0 left-3 my-auto text-muted" />
      <input
        type="search"
        className="field min-h-11 pl-9"
        placeholder={dica}
        maxLength={120}
        value={escrita}
        onChange={({ currentTarget }) => setEscrita(currentTarget.value)}
      />
    </label>
  )
}
