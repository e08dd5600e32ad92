import { useEffect, useEffectEvent, useRef, useState } from 'react'

const PAUSE_MS = 300

/**
 * A search kept in the URL and applied after a pause in typing. A change of the URL (Back, cleared filter) replaces
 * the typed text.
 */
export function useTypedSearch(search: string, onSearch: (busca: string) => void) {
  const [texto, setTexto] = useState(search)
  const [doEndereco, setDoEndereco] = useState(search)
  if (doEndereco !== search) {
    setDoEndereco(search)
    if (texto.trim() !== search) setTexto(search)
  }
  const ask = (): void => {
    if (texto.trim() !== search) onSearch(texto.trim())
  }
  const aposPausa = useEffectEvent(ask)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    pause.current = setTimeout(() => aposPausa(), PAUSE_MS)
    return () => clearTimeout(pause.current)
  }, [texto])
  return {
    texto,
    setTexto,
    /**
     * Applies the search immediately when the field loses focus. Later it would navigate away from the place the
     * user opened.
     */
    sair: (): void => {
      clearTimeout(pause.current)
      ask()
    },
  }
}
