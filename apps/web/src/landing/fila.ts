/** Records taps and submits made before React hydrates the simulator, so that they can be replayed. */
export interface EarlyClicks {
  /** Stops recording and returns the recorded texts in order. */
  readonly flush: () => readonly string[]
}

/** Records clicks on `[data-enviar]` and submits inside the element. The callback runs on every interaction. */
export function recordEarlyClicks(element: HTMLElement, onTouch: () => void): EarlyClicks {
  const textos: string[] = []
  const controle = new AbortController()
  const opcoes = { capture: true, signal: controle.signal } as const
  const guardar = (evento: Event, texto: string): void => {
    // React listens on the same element and would handle a tap during hydration a second time.
    evento.preventDefault()
    evento.stopImmediatePropagation()
    if (texto.trim() !== '') textos.push(texto)
    onTouch()
  }
  element.addEventListener(
    'click',
    (evento) => {
      const botao = evento.target instanceof Element ? evento.target.closest('[data-enviar]') : null
      if (botao instanceof HTMLElement) guardar(evento, botao.dataset.enviar ?? '')
    },
    opcoes,
  )
  element.addEventListener(
    'submit',
    (evento) => {
      const campo = element.querySelector('input')
      guardar(evento, campo?.value ?? '')
      if (campo !== null) campo.value = ''
    },
    opcoes,
  )
  element.addEventListener('pointerdown', onTouch, opcoes)
  element.addEventListener('focusin', onTouch, opcoes)
  return {
    flush: () => {
      controle.abort()
      return textos.splice(0)
    },
  }
}
