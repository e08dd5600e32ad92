import { useEffect, useEffectEvent, useRef, useState } from 'react'

const PAUSA_MS = 300

/**
 * A search kept in the URL and applied after a pause in typing. A change of the URL (Back, cleared filter) replaces
 * the typed text.
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
    /**
     * Applies the search immediately when the field loses focus. Later it would navigate away from the place the
     * user opened.
     */
    sair: (): void => {
      clearTimeout(pausa.current)
      pedir()
    },
  }
}
