import type { PointerEvent as ReactPointerEvent } from 'react'

const SCROLL_EDGE_PX = 88
const SCROLL_STEP_PX = 12
const SETTLE_MS = 500
const DRAGGED_CLASSES = ['z-20', 'border-brand', 'shadow-pop'] as const

function nearestCell(slots: readonly DOMRect[], x: number, y: number): number {
  const distances = slots.map(({ left, top, width, height }) => Math.hypot(left + width / 2 - x, top + height / 2 - y))
  return distances.indexOf(Math.min(...distances))
}

function cellOf(index: number, from: number, to: number): number {
  if (index > from && index <= to) return index - 1
  return index < from && index >= to ? index + 1 : index
}

/** Runs after React moved the cards and before the paint, so nothing jumps. */
function afterReorder(grid: HTMLElement, run: () => void): void {
  const finish = (): void => {
    observer.disconnect()
    clearTimeout(deadline)
    run()
  }
  const observer = new MutationObserver(finish)
  observer.observe(grid, { childList: true })
  // Fallback if the list does not change, for example because the card was deleted.
  const deadline = setTimeout(finish, SETTLE_MS)
}

/** One drag from press to release. Other cards move only visually until the drop. */
class Drag {
  readonly #item: HTMLElement
  readonly #grid: HTMLElement
  readonly #items: readonly HTMLElement[]
  /** In page coordinates, so that scrolling does not matter. */
  readonly #slots: readonly DOMRect[]
  readonly #start: { readonly x: number; readonly y: number }
  readonly #edges: { readonly top: number; readonly bottom: number }
  readonly #from: number
  readonly #end = new AbortController()
  #cursor: { readonly x: number; readonly y: number }
  #to: number

  constructor(item: HTMLElement, grid: HTMLElement, event: ReactPointerEvent<HTMLElement>) {
    this.#item = item
    this.#grid = grid
    this.#items = [...grid.querySelectorAll<HTMLElement>(':scope > li')]
    this.#from = this.#items.indexOf(item)
    this.#to = this.#from
    this.#slots = this.#items.map((card) => {
      const { x, y, width, height } = card.getBoundingClientRect()
      return new DOMRect(x + scrollX, y + scrollY, width, height)
    })
    this.#start = { x: event.pageX, y: event.pageY }
    this.#cursor = { x: event.clientX, y: event.clientY }
    // A card grabbed near an edge must not scroll immediately.
    const { clientY } = event
    this.#edges = { top: Math.min(SCROLL_EDGE_PX, clientY), bottom: Math.max(innerHeight - SCROLL_EDGE_PX, clientY) }
  }

  follow(pointerId: number, onDrop: (to: number) => void): void {
    const options = { signal: this.#end.signal, capture: true }
    const listen = (name: 'pointermove' | 'pointerup' | 'pointercancel', run: (event: PointerEvent) => void): void =>
      addEventListener(name, (event) => event.pointerId === pointerId && run(event), options)
    listen('pointermove', ({ clientX: x, clientY: y }) => (this.#cursor = { x, y }))
    listen('pointerup', ({ clientX: x, clientY: y }) => {
      this.#cursor = { x, y }
      this.#draw()
      this.#release(this.#to, onDrop)
    })
    listen('pointercancel', () => this.#release(this.#from, onDrop))
    addEventListener('keydown', ({ key }) => key === 'Escape' && this.#release(this.#from, onDrop), options)
    this.#item.classList.add(...DRAGGED_CLASSES)
    this.#item.style.rotate = '1deg'
    for (const other of this.#items) if (other !== this.#item) other.style.transition = 'translate 0.2s'
    this.#nextFrame()
  }

  #nextFrame(): void {
    if (this.#end.signal.aborted) return
    const { top, bottom } = this.#edges
    const step = this.#cursor.y < top ? -SCROLL_STEP_PX : this.#cursor.y > bottom ? SCROLL_STEP_PX : 0
    if (step !== 0) scrollBy({ top: step, behavior: 'instant' })
    this.#draw()
    requestAnimationFrame(() => this.#nextFrame())
  }

  #draw(): void {
    const own = this.#slots[this.#from]
    if (own === undefined) return
    const dx = this.#cursor.x + scrollX - this.#start.x
    const dy = this.#cursor.y + scrollY - this.#start.y
    this.#item.style.translate = `${dx}px ${dy}px`
    this.#to = nearestCell(this.#slots, own.x + own.width / 2 + dx, own.y + own.height / 2 + dy)
    for (const [index, other] of this.#items.entries()) {
      const [here, there] = [this.#slots[index], this.#slots[cellOf(index, this.#from, this.#to)]]
      if (index !== this.#from && here !== undefined && there !== undefined)
        other.style.translate = `${there.x - here.x}px ${there.y - here.y}px`
    }
  }

  #release(destination: number, onDrop: (to: number) => void): void {
    this.#end.abort()
    this.#item.classList.remove(...DRAGGED_CLASSES)
    this.#item.style.rotate = ''
    for (const card of this.#items) card.style.transition = ''
    const arrange = (): void => {
      for (const card of this.#items) card.style.translate = ''
    }
    if (destination === this.#from) return arrange()
    onDrop(destination)
    afterReorder(this.#grid, arrange)
  }
}

/**
 * Drags a card by its handle, with mouse, pen or finger, and calls the handler on the drop. Esc or `pointercancel`
 * reverts.
 */
export function startDrag(event: ReactPointerEvent<HTMLElement>, onDrop: (to: number) => void): void {
  const item = event.currentTarget.closest('li')
  const grid = item?.parentElement
  if (event.button !== 0 || item === null || grid === null || grid === undefined) return
  event.preventDefault()
  new Drag(item, grid, event).follow(event.pointerId, onDrop)
}
