import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const listeners = new Set<() => void>()

function current(): Theme {
  return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'
}

function setTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  localStorage.setItem('tema', theme)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The build draws the frame of `app.html` in the light theme. */
export function useTheme(): { readonly tema: Theme; readonly alternar: () => void } {
  const tema = useSyncExternalStore<Theme>(subscribe, current, () => 'light')
  return { tema, alternar: () => setTheme(tema === 'dark' ? 'light' : 'dark') }
}
