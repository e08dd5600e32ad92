import type { PointerEvent as ReactPointerEvent } from 'react'

/** The page scrolls while the pointer is this near to the window's edge. */
const SCROLL_EDGE_PX = 88
const SCROLL_STEP_PX = 12
const SETTLE_MS = 500
const DRAGGED_CLASSES = ['z-20', 'border-brand', 'shadow-pop'] as const

/** Index of the grid cell with the nearest centre. */
function nearestCell(vagas: readonly DOMRect[], x: number, y: number): number {
  const distancias = vagas.map(({ left, top, width, height }) => Math.hypot(left + width / 2 - x, top + height / 2 - y))
  return distancias.indexOf(Math.min(...distancias))
}

function cellOf(indice: number, de: number, para: number): number {
  if (indice > de && indice <= para) return indice - 1
  return indice < de && indice >= para ? indice + 1 : indice
}

/** Runs after React moved the cards and before the paint, so nothing jumps. */
function afterReorder(grade: HTMLElement, fazer: () => void): void {
  const terminar = (): void => {
    observador.disconnect()
    clearTimeout(prazo)
    fazer()
  }
  const observador = new MutationObserver(terminar)
  observador.observe(grade, { childList: true })
  // Fallback if the list does not change, for example because the card was deleted.
  const prazo = setTimeout(terminar, SETTLE_MS)
}

/**
 * Drags a card by its handle, with mouse, pen or finger. Other cards move only visually until the drop
 * calls the handler.
 * Esc or `pointercancel` reverts.
 */
export function startDrag(event: ReactPointerEvent<HTMLElement>, onDrop: (para: number) => void): void {
  const item = event.currentTarget.closest('li')
  const grade = item?.parentElement
  if (event.button !== 0 || item === null || grade === null || grade === undefined) return
  event.preventDefault()
  const itens = [...grade.querySelectorAll<HTMLElement>(':scope > li')]
  const de = itens.indexOf(item)
  // Page coordinates, so that scrolling does not matter.
  const vagas = itens.map((um) => {
    const { x, y, width, height } = um.getBoundingClientRect()
    return new DOMRect(x + scrollX, y + scrollY, width, height)
  })
  const inicio = { x: event.pageX, y: event.pageY }
  // A card grabbed near an edge must not scroll immediately.
  const subir = Math.min(SCROLL_EDGE_PX, event.clientY)
  const descer = Math.max(innerHeight - SCROLL_EDGE_PX, event.clientY)
  const { pointerId } = event
  let cursor = { x: event.clientX, y: event.clientY }
  let para = de

  const desenhar = (): void => {
    const minha = vagas[de]
    if (minha === undefined) return
    const dx = cursor.x + scrollX - inicio.x
    const dy = cursor.y + scrollY - inicio.y
    item.style.translate = `${dx}px ${dy}px`
    para = nearestCell(vagas, minha.x + minha.width / 2 + dx, minha.y + minha.height / 2 + dy)
    for (const [indice, outro] of itens.entries()) {
      const [daqui, dali] = [vagas[indice], vagas[cellOf(indice, de, para)]]
      if (indice !== de && daqui !== undefined && dali !== undefined)
        outro.style.translate = `${dali.x - daqui.x}px ${dali.y - daqui.y}px`
    }
  }

  const fim = new AbortController()
  const soltar = (destino: number): void => {
    fim.abort()
    item.classList.remove(...DRAGGED_CLASSES)
    item.style.rotate = ''
    for (const um of itens) um.style.transition = ''
    const arrumar = (): void => {
      for (const um of itens) um.style.translate = ''
    }
    if (destino === de) return arrumar()
    onDrop(destino)
    afterReorder(grade, arrumar)
  }
  const seguir = (): void => {
    if (fim.signal.aborted) return
    const passo = cursor.y < subir ? -SCROLL_STEP_PX : cursor.y > descer ? SCROLL_STEP_PX : 0
    if (passo !== 0) scrollBy({ top: passo, behavior: 'instant' })
    desenhar()
    requestAnimationFrame(seguir)
  }
  const opcoes = { signal: fim.signal, capture: true }
  const meu = (fazer: (atual: PointerEvent) => void) => (atual: PointerEvent) => {
    if (atual.pointerId === pointerId) fazer(atual)
  }
  addEventListener(
    'pointermove',
    meu(({ clientX: x, clientY: y }) => (cursor = { x, y })),
    opcoes,
  )
  addEventListener(
    'pointerup',
    meu(({ clientX: x, clientY: y }) => {
      cursor = { x, y }
      desenhar()
      soltar(para)
    }),
    opcoes,
  )
  addEventListener(
    'pointercancel',
    meu(() => soltar(de)),
    opcoes,
  )
  addEventListener('keydown', ({ key }) => key === 'Escape' && soltar(de), opcoes)
  item.classList.add(...DRAGGED_CLASSES)
  item.style.rotate = '1deg'
  for (const um of itens) if (um !== item) um.style.transition = 'translate 0.2s'
  seguir()
}
