import { useEffect, useRef } from 'react'

const DESLIGADO = 'atalhos-desligados'

/** Single-key shortcuts can be switched off for good (WCAG 2.1.4). */
export function atalhosLigados(): boolean {
  return localStorage.getItem(DESLIGADO) === null
}

export function ligarAtalhos(ligados: boolean): void {
  if (ligados) localStorage.removeItem(DESLIGADO)
  else localStorage.setItem(DESLIGADO, 'sim')
}

/** The key is for what is being written, or for what lies over the page. */
export function ocupado({ target }: Event): boolean {
  return (
    (target instanceof HTMLElement &&
      (target.isContentEditable || target.matches('input:not([type=checkbox],[type=radio]),textarea,select'))) ||
    document.querySelector('dialog[open], :popover-open') !== null
  )
}

/**
 * Keys → what they do, while the component is on screen. Keys without Ctrl or ⌘ rest inside fields, under an open dialog or menu, and
 * when the person switched them off.
 */
export function useHotkeys(teclas: Readonly<Record<string, (evento: KeyboardEvent) => void>>): void {
  const atual = useRef(teclas)
  useEffect(() => {
    atual.current = teclas
  })
  const nomes = Object.keys(teclas).join('|')
  useEffect(() => {
    const mapa = Object.fromEntries(
      nomes.split('|').map((nome) => [
        nome,
        (evento: KeyboardEvent) => {
          const simples = !nome.includes('$mod')
          if (simples && (ocupado(evento) || !atalhosLigados())) return
          if (!simples) evento.preventDefault()
          atual.current[nome]?.(evento)
        },
      ]),
    )
    let soltar: (() => void) | null = null
    let saiu = false
    // After the first paint: nobody presses a key before there is something to see.
    void import('tinykeys').then(({ tinykeys }) => {
      // The library would rest inside every field; here Ctrl and ⌘ work everywhere, and the rest is decided above.
      if (!saiu) soltar = tinykeys(window, mapa, { ignore: ({ repeat, isComposing }) => repeat || isComposing })
    })
    return () => {
      saiu = true
      soltar?.()
    }
  }, [nomes])
}
