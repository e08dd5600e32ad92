import { useEffect } from 'react'

export function useTitle(titulo: string): void {
  useEffect(() => {
    document.title = `${titulo} · Balcão`
  }, [titulo])
}
