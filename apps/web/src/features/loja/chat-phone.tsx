import { type ReactNode, useEffect, useRef } from 'react'
import { PreviewMessages } from '#shared/preview/preview-messages.tsx'
import type { Bubble } from '#shared/preview/transcript.ts'

interface ChatPhoneProps {
  readonly label: string
  readonly empresa: string
  readonly bubbles: readonly Bubble[]
  /** Number of the option that is marked. */
  readonly highlighted?: string
  /** Scrolls to the last bubble when it changes. */
  readonly end: unknown
  /** Below the phone. */
  readonly children?: ReactNode
}

const noop = (): void => undefined

/** A conversa on a phone, without a field to write. */
export function ChatPhone({ label, empresa, bubbles, highlighted, end, children }: ChatPhoneProps) {
  const frame = useRef<HTMLElement>(null)
  const scrollDown = (): void => {
    const log = frame.current?.querySelector<HTMLElement>('[role=log]')
    if (!log) return
    // Taller than other previews, to show list and product together.
    log.style.height = 'min(31rem, 60dvh)'
    log.scrollTop = log.scrollHeight
  }
  useEffect(scrollDown, [end])
  return (
    <section ref={frame} aria-label={label} className="mx-auto w-full max-w-[22rem]">
      <div className="overflow-hidden rounded-[2.2rem] border-[7px] border-[oklch(0.23_0.022_168)] bg-surface shadow-pop dark:border-line">
        <p className="flex items-center gap-3 border-b px-4 py-2.5 font-bold">
          <span aria-hidden className="grid size-9 flex-none place-items-center rounded-full bg-brand text-on-brand">
            {empresa.trim().slice(0, 1).toUpperCase()}
          </span>
          <span className="truncate">{empresa}</span>
        </p>
        <div onLoadCapture={scrollDown}>
          <PreviewMessages preview={{ bubbles, typing: false, skip: noop }} highlighted={highlighted ?? null} />
        </div>
      </div>
      {children}
    </section>
  )
}
