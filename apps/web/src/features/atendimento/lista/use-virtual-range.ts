import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Virtual list with one fixed row height: 10,000 rows render about 20, without a library. */

/** Extra rows above and below, so that fast scrolling shows no gap. */
const OVERSCAN = 6
const ESTIMATED_HEIGHT = 97

export interface VirtualRange {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  readonly height: number
}

export function useVirtualRange(scroller: RefObject<HTMLElement | null>, total: number): VirtualRange {
  const [altura, setAltura] = useState(ESTIMATED_HEIGHT)
  const [seen, setVista] = useState({ primeira: 0, quantas: 12 })

  // Row height depends on the font size: measures the first rendered row.
  const empty = total === 0
  useLayoutEffect(() => {
    const line = empty ? null : scroller.current?.querySelector('[data-linha]')
    if (line === null || line === undefined) return
    const measure = new ResizeObserver(() => {
      const { height } = line.getBoundingClientRect()
      // Zero while the row is unmounted or the list is hidden behind an open chat.
      if (height > 0) setAltura(height)
    })
    measure.observe(line)
    return () => measure.disconnect()
  }, [scroller, empty])

  useEffect(() => {
    const target = scroller.current
    if (target === null) return
    const look = (): void => {
      const primeira = Math.floor(target.scrollTop / altura)
      const quantas = Math.ceil(target.clientHeight / altura) + 1
      setVista((before) =>
        before.primeira === primeira && before.quantas === quantas ? before : { primeira, quantas },
      )
    }
    const size = new ResizeObserver(look)
    size.observe(target)
    target.addEventListener('scroll', look, { passive: true })
    return () => {
      size.disconnect()
      target.removeEventListener('scroll', look)
    }
  }, [scroller, altura])

  const inicio = Math.max(0, Math.min(seen.primeira, total) - OVERSCAN)
  return { start: inicio, end: Math.min(total, seen.primeira + seen.quantas + OVERSCAN), height: altura }
}
