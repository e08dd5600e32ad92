import { useLayoutEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'

const OFF_KEY = 'atalhos-desligados'

/** Single-key shortcuts can be switched off (WCAG 2.1.4). */
export function hotkeysEnabled(): boolean {
  return localStorage.getItem(OFF_KEY) === null
}

export function enableHotkeys(enabled: boolean): void {
  if (enabled) localStorage.removeItem(OFF_KEY)
  else localStorage.setItem(OFF_KEY, 'sim')
}

export function isTypingOrInDialog({ target }: Event): boolean {
  return (
    (target instanceof HTMLElement &&
      (target.isContentEditable || target.matches('input:not([type=checkbox],[type=radio]),textarea,select'))) ||
    document.querySelector('dialog[open], :popover-open') !== null
  )
}

/**
 * Binds keys while the component is mounted. Keys without Ctrl or ⌘ are ignored in fields, under dialogs and menus,
 * and when switched off.
 */
export function useHotkeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const atual = useRef(keys)
  useLayoutEffect(() => {
    atual.current = keys
  })
  const names = Object.keys(keys).join('|')
  // Before the screen is painted: who sees it may press a key.
  useLayoutEffect(() => {
    const mapa = Object.fromEntries(
      names.split('|').map((name) => [
        name,
        (event: KeyboardEvent) => {
          const simple = !name.includes('$mod')
          if (simple && (isTypingOrInDialog(event) || !hotkeysEnabled())) return
          if (!simple) event.preventDefault()
          atual.current[name]?.(event)
        },
      ]),
    )
    // By default the library ignores keys in fields. Here Ctrl and ⌘ work everywhere, and the handler above decides the
    // rest.
    return tinykeys(window, mapa, { ignore: ({ repeat, isComposing }) => repeat || isComposing })
  }, [names])
}
