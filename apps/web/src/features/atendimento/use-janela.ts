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
  const [vista, setVista] = useState({ primeira: 0, quantas: 12 })

  // Row height depends on the font size: measures the first rendered row.
  const vazia = total === 0
  useLayoutEffect(() => {
    const linha = vazia ? null : scroller.current?.querySelector('[data-linha]')
    if (linha === null || linha === undefined) return
    const medir = new ResizeObserver(() => {
      const { height } = linha.getBoundingClientRect()
      // Zero while the row is unmounted or the list is hidden behind an open chat.
      if (height > 0) setAltura(height)
    })
    medir.observe(linha)
    return () => medir.disconnect()
  }, [scroller, vazia])

  useEffect(() => {
    const alvo = scroller.current
    if (alvo === null) return
    const olhar = (): void => {
      const primeira = Math.floor(alvo.scrollTop / altura)
      const quantas = Math.ceil(alvo.clientHeight / altura) + 1
      setVista((antes) => (antes.primeira === primeira && antes.quantas === quantas ? antes : { primeira, quantas }))
    }
    const tamanho = new ResizeObserver(olhar)
    tamanho.observe(alvo)
    alvo.addEventListener('scroll', olhar, { passive: true })
    return () => {
      tamanho.disconnect()
      alvo.removeEventListener('scroll', olhar)
    }
  }, [scroller, altura])

  const inicio = Math.max(0, Math.min(vista.primeira, total) - OVERSCAN)
  return { start: inicio, end: Math.min(total, vista.primeira + vista.quantas + OVERSCAN), height: altura }
}
