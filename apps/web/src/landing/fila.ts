/**
 * What a visitor does on the simulator before React has arrived: kept here and replayed, so that the first tap on a
 * slow phone is not lost.
 */
export interface Fila {
  /** Ends the collection and hands over what was collected, in order. */
  readonly entregar: () => readonly string[]
}

/** Collects taps on `[data-enviar]` and submits inside `lugar`; `aoTocar` runs at the first sign of interest. */
export function coletar(lugar: HTMLElement, aoTocar: () => void): Fila {
  const textos: string[] = []
  const controle = new AbortController()
  const opcoes = { capture: true, signal: controle.signal } as const
  const guardar = (evento: Event, texto: string): void => {
    // React listens on this same element: without this, a tap during hydration would count twice.
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
