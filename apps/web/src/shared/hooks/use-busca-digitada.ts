import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** A pause in typing, before the server is asked. */
const PAUSA_MS = 300

/**
 * A search that stands in the address: typed here, asked after a pause. What the address says wins when it changes by itself:
 * Back, or a cleared filter.
 */
export function useBuscaDigitada(busca: string, onBuscar: (busca: string) => void) {
  const [texto, setTexto] = useState(busca)
  const [doEndereco, setDoEndereco] = useState(busca)
  if (doEndereco !== busca) {
    setDoEndereco(busca)
    if (texto.trim() !== busca) setTexto(busca)
  }
  const pedir = (): void => {
    if (texto.trim() !== busca) onBuscar(texto.trim())
  }
  const aposPausa = useEffectEvent(pedir)
  const pausa = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    pausa.current = setTimeout(() => aposPausa(), PAUSA_MS)
    return () => clearTimeout(pausa.current)
  }, [texto])
  return {
    texto,
    setTexto,
    /** Whoever leaves the field goes somewhere else: asked now, or it would come after them and take them back. */
    sair: (): void => {
      clearTimeout(pausa.current)
      pedir()
    },
  }
}
