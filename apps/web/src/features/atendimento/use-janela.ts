import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Virtual list with one fixed row height: 10,000 rows render about 20, without a library. */

/** Extra rows above and below, so that fast scrolling shows no gap. */
const FOLGA = 6
const ALTURA_SUPOSTA = 97

export interface Janela {
  readonly inicio: number
  /** Exclusive. */
  readonly fim: number
  readonly altura: number
}

export function useJanela(quadro: RefObject<HTMLElement | null>, total: number): Janela {
  const [altura, setAltura] = useState(ALTURA_SUPOSTA)
  const [vista, setVista] = useState({ primeira: 0, quantas: 12 })

  // Row height depends on the font size: measures the first rendered row.
  const vazia = total === 0
  useLayoutEffect(() => {
    const linha = vazia ? null : quadro.current?.querySelector('[data-linha]')
    if (linha === null || linha === undefined) return
    const medir = new ResizeObserver(() => {
      const { height } = linha.getBoundingClientRect()
      // Zero while the row is unmounted or the list is hidden behind an open chat.
      if (height > 0) setAltura(height)
    })
    medir.observe(linha)
    return () => medir.disconnect()
  }, [quadro, vazia])

  useEffect(() => {
    const alvo = quadro.current
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
  }, [quadro, altura])

  const inicio = Math.max(0, Math.min(vista.primeira, total) - FOLGA)
  return { inicio, fim: Math.min(total, vista.primeira + vista.quantas + FOLGA), altura }
}
