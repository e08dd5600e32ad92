import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'

/** Which conversation is open is in the address: Back closes it, and a link opens it. */
export function useSelecao(umaColuna: boolean) {
  const navigate = useNavigate()
  const id = useSearch({ strict: false, select: ({ c }) => c })
  const irPara = useCallback(
    (c: string | undefined, replace: boolean) =>
      void navigate({
        to: '/dashboard',
        search: c === undefined ? { aba: 'atendimento' } : { aba: 'atendimento', c },
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  const abrir = useCallback((c: string) => irPara(c, !umaColuna), [irPara, umaColuna])
  // The same function for as long as the tab is there: who draws with it is not drawn again for each selection.
  const atual = useRef(id)
  useEffect(() => void (atual.current = id))
  const fechar = useCallback(() => {
    const antes = atual.current ?? ''
    irPara(undefined, true)
    // Focus goes back to where the conversation was opened from.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-conversa="${CSS.escape(antes)}"]`)?.focus())
  }, [irPara])
  return { id, abrir, fechar, limpar: useCallback(() => irPara(undefined, true), [irPara]) }
}
