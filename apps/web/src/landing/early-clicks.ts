export interface EarlyClicks {
  /** Stops recording and returns the recorded texts in order. */
  readonly flush: () => readonly string[]
}

/** Records clicks on `[data-enviar]` and submits inside the element. The callback runs on every interaction. */
export function recordEarlyClicks(element: HTMLElement, onTouch: () => void): EarlyClicks {
  const texts: string[] = []
  const controle = new AbortController()
  const opcoes = { capture: true, signal: controle.signal } as const
  const store = (event: Event, text: string): void => {
    // React listens on the same element and would handle a tap during hydration a second time.
    event.preventDefault()
    event.stopImmediatePropagation()
    if (text.trim() !== '') texts.push(text)
    onTouch()
  }
  element.addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('[data-enviar]') : null
      if (button instanceof HTMLElement) store(event, button.dataset.enviar ?? '')
    },
    opcoes,
  )
  element.addEventListener(
    'submit',
    (event) => {
      const field = element.querySelector('input')
      store(event, field?.value ?? '')
      if (field !== null) field.value = ''
    },
    opcoes,
  )
  element.addEventListener('pointerdown', onTouch, opcoes)
  element.addEventListener('focusin', onTouch, opcoes)
  return {
    flush: () => {
      controle.abort()
      return texts.splice(0)
    },
  }
}
