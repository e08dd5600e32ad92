import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Which conversation is open is in the address: Back closes it, and a link opens it. */
export function useSelecao(umaColuna: boolean) {
  const navigate = useNavigate()
  const id = useSearch({ strict: false }).c
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
  const fechar = useCallback(() => {
    const antes = id
    irPara(undefined, true)
    // Focus goes back to where the conversation was opened from.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-conversa="${CSS.escape(antes ?? '')}"]`)?.focus(),
    )
  }, [id, irPara])
  return { id, abrir, fechar, limpar: useCallback(() => irPara(undefined, true), [irPara]) }
}
