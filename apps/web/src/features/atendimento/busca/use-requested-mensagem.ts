import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** Pages that are loaded for one message, 50 messages each. */
const PAGES_MAX = 60
const HIGHLIGHT_MS = 2_500

interface OlderPages {
  readonly exists: boolean
  readonly loading: boolean
  readonly error: string | null
  readonly load: () => Promise<void>
}

/**
 * Scrolls to the message or nota of the URL (`m`) and highlights it. Loads older pages until it is found. Then the id
 * leaves the URL, so the same result can be opened again.
 */
export function useRequestedMensagem(
  frame: RefObject<HTMLElement | null>,
  pages: readonly (readonly Mensagem[])[],
  older: OlderPages,
  /** False while the notas load: the requested one is not on the screen yet. */
  ready: boolean,
): void {
  const navigate = useNavigate()
  const { c, m: id } = useSearch({ strict: false })
  const loads = useRef({ id, count: 0 })
  const { exists, loading, error, load } = older
  useEffect(() => {
    if (id === undefined || !ready) return
    if (loads.current.id !== id) loads.current = { id, count: 0 }
    const target = frame.current?.querySelector<HTMLElement>(`[data-mensagem="${CSS.escape(id)}"]`)
    const mayLoad = exists && error === null && loads.current.count < PAGES_MAX
    if (target === null || target === undefined) {
      if (mayLoad && !loading) {
        loads.current.count += 1
        void load()
      }
      if (mayLoad) return
    } else highlight(target)
    void navigate({ to: '/dashboard', search: { aba: 'atendimento', c }, replace: true, resetScroll: false })
  }, [frame, pages, ready, c, id, exists, loading, error, load, navigate])
}

function highlight(target: HTMLElement): void {
  // `scrollIntoView` also moves the tab, whose upper bar then leaves the window.
  const list = target.closest('[role=log]') ?? target
  const { top, height } = target.getBoundingClientRect()
  const whole = list.getBoundingClientRect()
  list.scrollTop += top + height / 2 - whole.top - whole.height / 2
  target.tabIndex = -1
  target.focus({ preventScroll: true })
  target.animate(
    [{ outline: '3px solid var(--color-brand)', outlineOffset: '4px' }, { outline: '3px solid transparent' }],
    { duration: HIGHLIGHT_MS, easing: 'ease-in' },
  )
}
