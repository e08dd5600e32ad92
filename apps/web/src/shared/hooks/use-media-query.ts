import { useSyncExternalStore } from 'react'

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const lista = matchMedia(query)
      lista.addEventListener('change', listener)
      return () => lista.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
