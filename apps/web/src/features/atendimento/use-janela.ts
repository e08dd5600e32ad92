import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/**
 * Which rows of a long list are worth drawing. Every row has one height, so that a multiplication says where each stands: a list of
 * ten thousand draws some twenty, and no library is loaded for it.
 */

/** Rows drawn beyond the edges: a flick of the wheel finds them ready. */
const FOLGA = 6
const ALTURA_SUPOSTA = 97

export interface Janela {
  readonly inicio: number
  /** The one after the last. */
  readonly fim: number
  readonly altura: number
}

export function useJanela(quadro: RefObject<HTMLElement | null>, total: number): Janela {
  const [altura, setAltura] = useState(ALTURA_SUPOSTA)
  const [vista, setVista] = useState({ primeira: 0, quantas: 12 })

  // Rows grow with the text's size: the first one drawn is the measure of all.
  const vazia = total === 0
  useLayoutEffect(() => {
    const linha = vazia ? null : quadro.current?.querySelector('[data-linha]')
    if (linha === null || linha === undefined) return
    const medir = new ResizeObserver(() => {
      const { height } = linha.getBoundingClientRect()
      // None: the row left the window, or the list is behind an open chat.
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
