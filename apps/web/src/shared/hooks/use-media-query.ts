import { useSyncExternalStore } from 'react'

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (ouvinte) => {
      const lista = matchMedia(query)
      lista.addEventListener('change', ouvinte)
      return () => lista.removeEventListener('change', ouvinte)
    },
    () => matchMedia(query).matches,
  )
}
