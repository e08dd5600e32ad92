import { useSyncExternalStore } from 'react'

export type Tema = 'light' | 'dark'

const ouvintes = new Set<() => void>()

function current(): Tema {
  return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'
}

function setTema(tema: Tema): void {
  document.documentElement.dataset['theme'] = tema
  localStorage.setItem('tema', tema)
  for (const ouvinte of ouvintes) ouvinte()
}

export function useTheme(): { readonly tema: Tema; readonly alternar: () => void } {
  const tema = useSyncExternalStore((ouvinte) => {
    ouvintes.add(ouvinte)
    return () => void ouvintes.delete(ouvinte)
  }, current)
  return { tema, alternar: () => setTema(tema === 'dark' ? 'light' : 'dark') }
}
