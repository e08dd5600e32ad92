import type { PointerEvent as ReactPointerEvent } from 'react'

/** The page scrolls while the pointer is this near to the window's edge. */
const SCROLL_EDGE_PX = 88
const SCROLL_STEP_PX = 12
const SETTLE_MS = 500
const DRAGGED_CLASSES = ['z-20', 'border-brand', 'shadow-pop'] as const

/** Index of the grid cell with the nearest centre. */
function nearestCell(slots: readonly DOMRect[], x: number, y: number): number {
  const distancias = slots.map(({ left, top, width, height }) => Math.hypot(left + width / 2 - x, top + height / 2 - y))
  return distancias.indexOf(Math.min(...distancias))
}

function cellOf(index: number, de: number, para: number): number {
  if (index > de && index <= para) return index - 1
  return index < de && index >= para ? index + 1 : index
}

/** Runs after React moved the cards and before the paint, so nothing jumps. */
function afterReorder(grid: HTMLElement, run: () => void): void {
  const terminar = (): void => {
    observer.disconnect()
    clearTimeout(deadline)
    run()
  }
  const observer = new MutationObserver(terminar)
  observer.observe(grid, { childList: true })
  // Fallback if the list does not change, for example because the card was deleted.
  const deadline = setTimeout(terminar, SETTLE_MS)
}

/**
 * Drags a card by its handle, with mouse, pen or finger. Other cards move only visually until the drop
 * calls the handler.
 * Esc or `pointercancel` reverts.
 */
export function startDrag(event: ReactPointerEvent<HTMLElement>, onDrop: (para: number) => void): void {
  const item = event.currentTarget.closest('li')
  const grid = item?.parentElement
  if (event.button !== 0 || item === null || grid === null || grid === undefined) return
  event.preventDefault()
  const items = [...grid.querySelectorAll<HTMLElement>(':scope > li')]
  const de = items.indexOf(item)
  // Page coordinates, so that scrolling does not matter.
  const slots = items.map((um) => {
    const { x, y, width, height } = um.getBoundingClientRect()
    return new DOMRect(x + scrollX, y + scrollY, width, height)
  })
  const start = { x: event.pageX, y: event.pageY }
  // A card grabbed near an edge must not scroll immediately.
  const subir = Math.min(SCROLL_EDGE_PX, event.clientY)
  const scrollDown = Math.max(innerHeight - SCROLL_EDGE_PX, event.clientY)
  const { pointerId } = event
  let cursor = { x: event.clientX, y: event.clientY }
  let para = de

  const desenhar = (): void => {
    const mine = slots[de]
    if (mine === undefined) return
    const dx = cursor.x + scrollX - start.x
    const dy = cursor.y + scrollY - start.y
    item.style.translate = `${dx}px ${dy}px`
    para = nearestCell(slots, mine.x + mine.width / 2 + dx, mine.y + mine.height / 2 + dy)
    for (const [index, other] of items.entries()) {
      const [daqui, dali] = [slots[index], slots[cellOf(index, de, para)]]
      if (index !== de && daqui !== undefined && dali !== undefined)
        other.style.translate = `${dali.x - daqui.x}px ${dali.y - daqui.y}px`
    }
  }

  const fim = new AbortController()
  const release = (destination: number): void => {
    fim.abort()
    item.classList.remove(...DRAGGED_CLASSES)
    item.style.rotate = ''
    for (const um of items) um.style.transition = ''
    const arrange = (): void => {
      for (const um of items) um.style.translate = ''
    }
    if (destination === de) return arrange()
    onDrop(destination)
    afterReorder(grid, arrange)
  }
  const seguir = (): void => {
    if (fim.signal.aborted) return
    const step = cursor.y < subir ? -SCROLL_STEP_PX : cursor.y > scrollDown ? SCROLL_STEP_PX : 0
    if (step !== 0) scrollBy({ top: step, behavior: 'instant' })
    desenhar()
    requestAnimationFrame(seguir)
  }
  const opcoes = { signal: fim.signal, capture: true }
  const meu = (run: (current: PointerEvent) => void) => (current: PointerEvent) => {
    if (current.pointerId === pointerId) run(current)
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
      release(para)
    }),
    opcoes,
  )
  addEventListener(
    'pointercancel',
    meu(() => release(de)),
    opcoes,
  )
  addEventListener('keydown', ({ key }) => key === 'Escape' && release(de), opcoes)
  item.classList.add(...DRAGGED_CLASSES)
  item.style.rotate = '1deg'
  for (const um of items) if (um !== item) um.style.transition = 'translate 0.2s'
  seguir()
}
