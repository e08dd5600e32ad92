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
  const [ocupado, setOcupado] = useState(false)
  const [failed, setFalhou] = useState(false)
  const fim = useRef<HTMLDivElement>(null)
  const load = async (): Promise<void> => {
    setOcupado(true)
    setFalhou(false)
    try {
      await loadMore()
    } catch (error) {
      setFalhou(true)
      notify.erro(errorMessage(error))
    }
    setOcupado(false)
  }
  const chegar = useEffectEvent(() => {
    if (!ocupado && !failed) void load()
  })
  // A page can add no visible row because of the filter, so the marker does not move. The loaded count re-arms the observer.
  useEffect(() => {
    if (fim.current === null) return
    const look = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) chegar()
      },
      { root: scroller.current, rootMargin: LOAD_MARGIN },
    )
    look.observe(fim.current)
    return () => look.disconnect()
  }, [loadedCount, scroller])
  return (
    <div ref={fim} className="p-3 text-center">
      <Button variant="ghost" busy={ocupado} onClick={() => void load()}>
        Mostrar mais conversas
      </Button>
    </div>
  )
}
