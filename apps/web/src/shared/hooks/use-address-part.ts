import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { showPart } from './show-part.ts'

/** Shows the part of the page that the address names after `#`. */
export function useAddressPart(id: string): boolean {
  const named = useRouterState({ select: ({ location }) => location.hash === id })
  useEffect(() => {
    if (named) showPart(`#${id}`)
  }, [id, named])
  return named
}
