import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'

const LOAD_MARGIN = '800px'

export interface MoreConversasProps {
  readonly scroller: RefObject<HTMLElement | null>
  readonly loadedCount: number
  readonly loadMore: () => Promise<void>
}

/** Loads the next page near the end of the list. After a failure only the button retries. */
export function MoreConversas({ scroller, loadedCount, loadMore }: MoreConversasProps) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  const load = async (): Promise<void> => {
    setBusy(true)
    setFailed(false)
    try {
      await loadMore()
    } catch (error) {
      setFailed(true)
      notify.erro(errorMessage(error))
    }
    setBusy(false)
  }
  const onReach = useEffectEvent(() => {
    if (!busy && !failed) void load()
  })
  // A page can add no visible row because of the filter, so the marker does not move. The loaded count re-arms the observer.
  useEffect(() => {
    if (end.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onReach()
      },
      { root: scroller.current, rootMargin: LOAD_MARGIN },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [loadedCount, scroller])
  return (
    <div ref={end} className="p-3 text-center">
      <Button variant="ghost" busy={busy} onClick={() => void load()}>
        Mostrar mais conversas
      </Button>
    </div>
  )
}
