import type { Aba } from '@balcao/contract/constants'
import { useCallback, useState } from 'react'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'

const FOLD_KEY = 'menu-do-painel'
const FOLDED = 'dobrado'

/** The choice of the person stays on this device. Without one the menu is folded in the inbox of a small computer. */
export function useFoldedMenu(aba: Aba, drawer: boolean) {
  const roomy = useMediaQuery('(min-width: 93.75rem)')
  const [choice, setChoice] = useState(() => localStorage.getItem(FOLD_KEY))
  const onFold = useCallback((folded: boolean) => {
    const chosen = folded ? FOLDED : 'aberto'
    localStorage.setItem(FOLD_KEY, chosen)
    setChoice(chosen)
  }, [])
  const folded = !drawer && (choice === null ? aba === 'atendimento' && !roomy : choice === FOLDED)
  return { folded, onFold }
}
