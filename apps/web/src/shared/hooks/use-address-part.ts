import { useEffect, useState } from 'react'
import { showPart } from './show-part.ts'

/** Shows the part of the page that the address names after `#`, once, and says whether it names it. */
export function useAddressPart(id: string): boolean {
  const [named] = useState(() => location.hash === `#${id}`)
  useEffect(() => {
    if (named) showPart(`#${id}`)
  }, [id, named])
  return named
}
