import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'

/** The open conversa is in the URL: Back closes it, a link opens it. */
export function useSelection(singleColumn: boolean) {
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
  const abrir = useCallback((c: string) => irPara(c, !singleColumn), [irPara, singleColumn])
  // A ref keeps `fechar` stable, so a new selection does not re-render its users.
  const atual = useRef(id)
  useEffect(() => void (atual.current = id))
  const fechar = useCallback(() => {
    const before = atual.current ?? ''
    irPara(undefined, true)
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-conversa="${CSS.escape(before)}"]`)?.focus())
  }, [irPara])
  return { id, abrir, fechar, limpar: useCallback(() => irPara(undefined, true), [irPara]) }
}
