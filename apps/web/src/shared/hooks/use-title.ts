import { useEffect } from 'react'

/** Names the browser's tab while the screen is there. */
export function useTitle(titulo: string): void {
  useEffect(() => {
    document.title = `${titulo} · Balcão`
  }, [titulo])
}
