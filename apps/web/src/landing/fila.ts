/** Records taps and submits made before React hydrates the simulator, so that they can be replayed. */
export interface Fila {
  /** Stops recording and returns the recorded texts in order. */
  readonly entregar: () => readonly string[]
}

/** Records clicks on `[data-enviar]` and submits inside the element. The callback runs on every interaction. */
export function coletar(lugar: HTMLElement, aoTocar: () => void): Fila {
  const textos: string[] = []
  const controle = new AbortController()
  const opcoes = { capture: true, signal: controle.signal } as const
  const guardar = (evento: Event, texto: string): void => {
    // React listens on the same element and would handle a tap during hydration a second time.
    evento.preventDefault()
    evento.stopImmediatePropagation()
    if (texto.trim() !== '') textos.push(texto)
    aoTocar()
  }
  lugar.addEventListener(
    'click',
    (evento) => {
      const botao = evento.target instanceof Element ? evento.target.closest('[data-enviar]') : null
      if (botao instanceof HTMLElement) guardar(evento, botao.dataset.enviar ?? '')
    },
    opcoes,
  )
  lugar.addEventListener(
    'submit',
    (evento) => {
      const campo = lugar.querySelector('input')
      guardar(evento, campo?.value ?? '')
      if (campo !== null) campo.value = ''
    },
    opcoes,
  )
  lugar.addEventListener('pointerdown', aoTocar, opcoes)
  lugar.addEventListener('focusin', aoTocar, opcoes)
  return {
    entregar: () => {
      controle.abort()
      return textos.splice(0)
    },
  }
}
