import { ROLAR_CHAT_MS } from '@balcao/contract/constants'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

export type Pages = readonly (readonly Mensagem[])[]

const NEAR_END_PX = 80
const LOAD_OLDER_PX = 900

function countAfter(pages: Pages, id: string | undefined): number {
  const last = pages.slice(-2).flat()
  const index = last.findIndex((mensagem) => mensagem.id === id)
  return index < 0 ? 0 : last.length - 1 - index
}

type FrameRef = RefObject<HTMLDivElement | null>

/** The last scroll position. `toEndPx` includes the visible height. */
interface ScrollMemory {
  atEnd: boolean
  toEndPx: number
}

/** Starts at the unread divider or the end, and stays at the end while the frame or its content resizes. */
function useScrollMemory(frame: FrameRef, onScroll: (target: HTMLElement, atEnd: boolean) => void) {
  const memory = useRef<ScrollMemory>({ atEnd: true, toEndPx: 0 })
  const scrolled = useEffectEvent(onScroll)
  useLayoutEffect(() => {
    const target = frame.current
    if (target === null) return
    const divider = target.querySelector<HTMLElement>('[data-novas]')
    target.scrollTo({ top: divider === null ? target.scrollHeight : divider.offsetTop - 24 })
    const remember = (): void => {
      const toEndPx = target.scrollHeight - target.scrollTop
      memory.current = { toEndPx, atEnd: toEndPx - target.clientHeight < NEAR_END_PX }
      scrolled(target, memory.current.atEnd)
    }
    remember()
    // An on-screen keyboard shrinks the chat, a loaded picture grows it.
    const resize = new ResizeObserver(() => {
      if (memory.current.atEnd) target.scrollTo({ top: target.scrollHeight })
    })
    resize.observe(target)
    for (const child of target.children) resize.observe(child)
    target.addEventListener('scroll', remember, { passive: true })
    return () => {
      resize.disconnect()
      target.removeEventListener('scroll', remember)
    }
  }, [frame])
  return memory
}

export interface ChatScroll {
  readonly newCount: number
  readonly scrollDown: () => void
}

/**
 * Follows new mensagens while the chat is at its end. Otherwise the position stays and new mensagens are counted.
 * Older pages inserted at the top do not move the view.
 */
export function useChatScroll(
  frame: FrameRef,
  pages: Pages,
  pendingCount: number,
  onNearStart: () => void,
): ChatScroll {
  const last = pages.at(-1)?.at(-1)?.id
  const first = pages[0]?.[0]?.id
  const [readUntil, setReadUntil] = useState<string | undefined>(undefined)
  const memory = useScrollMemory(frame, (target, atEnd) => {
    if (atEnd) setReadUntil(undefined)
    if (target.scrollTop < LOAD_OLDER_PX) onNearStart()
  })
  const scrollDown = useCallback(() => frame.current?.scrollTo({ top: frame.current.scrollHeight }), [frame])

  const firstBefore = useRef(first)
  useLayoutEffect(() => {
    if (firstBefore.current === first) return
    firstBefore.current = first
    const { atEnd, toEndPx } = memory.current
    if (!atEnd) frame.current?.scrollTo({ top: frame.current.scrollHeight - toEndPx })
  }, [frame, memory, first])

  const seen = useRef(last)
  useEffect(() => {
    const previous = seen.current
    if (previous === last && pendingCount === 0) return
    seen.current = last
    if (!memory.current.atEnd && pendingCount === 0) {
      setReadUntil((stored) => stored ?? previous)
      return
    }
    const wait = setTimeout(scrollDown, ROLAR_CHAT_MS)
    return () => clearTimeout(wait)
  }, [memory, scrollDown, last, pendingCount])
  return { newCount: readUntil === undefined ? 0 : countAfter(pages, readUntil), scrollDown }
}
