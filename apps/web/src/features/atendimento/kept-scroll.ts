import { type RefObject, useLayoutEffect, useRef } from 'react'

export function useKeptScroll(frame: RefObject<HTMLElement | null>, view: string): void {
  const positions = useRef(new Map<string, number>())
  useLayoutEffect(() => {
    const target = frame.current
    if (target === null) return
    target.scrollTo({ top: positions.current.get(view) ?? 0, behavior: 'instant' })
    // A shorter view moves the frame after this effect, so that the position of the view before stays.
    const store = (): void => void positions.current.set(view, target.scrollTop)
    target.addEventListener('scroll', store)
    return () => target.removeEventListener('scroll', store)
  }, [frame, view])
}
