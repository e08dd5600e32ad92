/** The tab of the part may still load its files. */
const WAIT_MS = 5_000

/** Opens the section of a part, scrolls to the part and focuses it once it is on the page. */
export function showPart(selector: string): void {
  const end = performance.now() + WAIT_MS
  const look = (): void => {
    const part = document.querySelector<HTMLElement>(selector)
    if (part === null) {
      if (performance.now() < end) requestAnimationFrame(look)
      return
    }
    part.closest('details')?.setAttribute('open', '')
    part.scrollIntoView({ block: 'center' })
    part.focus({ preventScroll: true })
  }
  look()
}
