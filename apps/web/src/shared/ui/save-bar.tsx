import { type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'

export interface SaveBarProps {
  readonly changed: boolean
  readonly saving: boolean
  readonly onDiscard: () => void
  readonly onSave: () => void
  /** The words of the form's own buttons, which the bar replaces while they are out of view. */
  readonly words?: { readonly discard: string; readonly save: string }
}

const WORDS = { discard: 'Descartar', save: 'Salvar alterações' }

export function SaveBar({ changed, ...props }: SaveBarProps) {
  return changed ? <Bar {...props} /> : null
}

function Bar({ saving, words = WORDS, onDiscard, onSave }: Omit<SaveBarProps, 'changed'>) {
  const bar = useRef<HTMLDivElement>(null)
  useUncoveredField(bar)
  return (
    <div
      ref={bar}
      className="barra-salvar rise sticky z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-3 rounded-2xl border border-line bg-surface py-2 pr-2 pl-4 shadow-pop max-[26rem]:pl-2"
      role="region"
      aria-label="Alterações não salvas"
    >
      <span className="text-sm font-semibold max-[26rem]:sr-only">Alterações não salvas</span>
      <Button variant="ghost" size="sm" onClick={onDiscard} disabled={saving}>
        {words.discard}
      </Button>
      <Button variant="primary" size="sm" onClick={onSave} busy={saving}>
        {saving ? 'Salvando…' : words.save}
      </Button>
    </div>
  )
}

/** Height of the page's header, which also covers fields. */
const HEADER_PX = 72
const GAP_PX = 12

/** True while the element is above the page or below it. */
export function useOutOfView(element: HTMLElement | null): boolean {
  const [away, setAway] = useState(false)
  useEffect(() => {
    if (element === null) return
    const observer = new IntersectionObserver(
      (entries) => setAway(entries.every(({ isIntersecting }) => !isIntersecting)),
      { rootMargin: `-${HEADER_PX}px 0px 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return away
}

function scrollClear(bar: HTMLElement | null): void {
  const field = document.activeElement
  if (bar === null || field === null || !field.matches('input, select, textarea')) return
  const { top, bottom } = field.getBoundingClientRect()
  const covered = Math.min(bottom + GAP_PX - bar.getBoundingClientRect().top, top - HEADER_PX)
  if (covered > 0) scrollBy({ top: covered, behavior: 'instant' })
}

/** Scrolls the page when the bar covers the field with the focus: at its focus, while it grows and when the bar appears. */
function useUncoveredField(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const ended = new AbortController()
    let pressed = false
    // A page that moves under a pressed pointer loses the click.
    const uncover = (): void => {
      if (!pressed) scrollClear(bar.current)
    }
    const listen = (events: readonly string[], run: () => void): void => {
      for (const event of events) document.addEventListener(event, run, { signal: ended.signal })
    }
    listen(['pointerdown'], () => (pressed = true))
    listen(['pointerup', 'pointercancel'], () => {
      pressed = false
      setTimeout(uncover)
    })
    listen(['focusin', 'input'], uncover)
    uncover()
    return () => ended.abort()
  }, [bar])
}
