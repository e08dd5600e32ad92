import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

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
  const pausa = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (escrita.trim() === busca) return
    pausa.current = setTimeout(() => onMudar(escrita.trim()), PAUSA_MS)
    return () => clearTimeout(pausa.current)
  }, [escrita, busca, onMudar])
  // Whoever leaves the field goes somewhere else: asked now, or it would come after them and take them back.
  const sair = (): void => {
    clearTimeout(pausa.current)
    if (escrita.trim() !== busca) onMudar(escrita.trim())
  }
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
        onBlur={sair}
      />
    </label>
  )
}
