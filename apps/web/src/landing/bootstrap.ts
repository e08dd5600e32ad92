import { coletar } from './fila.ts'

const raiz = document.documentElement

document.querySelector('[data-tema]')?.addEventListener('click', () => {
  const tema = raiz.dataset.theme === 'dark' ? 'light' : 'dark'
  raiz.dataset.theme = tema
  try {
    localStorage.setItem('tema', tema)
  } catch {
    // Storage is blocked (private window): the choice lasts until the page closes.
  }
})

function ocioso(fazer: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(fazer, { timeout: 3000 })
  else setTimeout(fazer, 300)
}

function prepararSimulador(lugar: HTMLElement): void {
  let pedido = false
  const carregar = (): void => {
    if (pedido) return
    pedido = true
    // Offline or an old browser: the static conversation stays.
    import('./ilha.tsx').then(
      ({ hidratarSimulador }) => hidratarSimulador(lugar, fila.entregar),
      () => (pedido = false),
    )
  }
  const fila = coletar(lugar, carregar)
  const aoVer = (entradas: readonly IntersectionObserverEntry[], observador: IntersectionObserver): void => {
    if (!entradas.some(({ isIntersecting }) => isIntersecting)) return
    observador.disconnect()
    if (document.readyState === 'complete') ocioso(carregar)
    else addEventListener('load', () => ocioso(carregar), { once: true })
  }
  // Loads once a third is visible. Small phones show only the awning first, and visitors who leave there download
  // nothing.
  new IntersectionObserver(aoVer, { threshold: 0.33 }).observe(lugar)
}

const lugar = document.getElementById('simulador')
if (lugar !== null) prepararSimulador(lugar)
