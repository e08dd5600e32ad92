import { recordEarlyClicks } from './fila.ts'

const root = document.documentElement

document.querySelector('[data-tema]')?.addEventListener('click', () => {
  const tema = root.dataset.theme === 'dark' ? 'light' : 'dark'
  root.dataset.theme = tema
  try {
    localStorage.setItem('tema', tema)
  } catch {
    // Storage is blocked (private window): the choice lasts until the page closes.
  }
})

function runWhenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 3000 })
  else setTimeout(run, 300)
}

function prepareDemoPhone(slot: HTMLElement): void {
  let pedido = false
  const carregar = (): void => {
    if (pedido) return
    pedido = true
    // Offline or an old browser: the static conversation stays.
    import('./ilha.tsx').then(
      ({ hydrateDemoPhone }) => hydrateDemoPhone(slot, fila.flush),
      () => (pedido = false),
    )
  }
  const fila = recordEarlyClicks(slot, carregar)
  const aoVer = (entradas: readonly IntersectionObserverEntry[], observador: IntersectionObserver): void => {
    if (!entradas.some(({ isIntersecting }) => isIntersecting)) return
    observador.disconnect()
    if (document.readyState === 'complete') runWhenIdle(carregar)
    else addEventListener('load', () => runWhenIdle(carregar), { once: true })
  }
  // Loads once a third is visible. Small phones show only the awning first, and visitors who leave there download
  // nothing.
  new IntersectionObserver(aoVer, { threshold: 0.33 }).observe(slot)
}

const demoPhoneSlot = document.getElementById('simulador')
if (demoPhoneSlot !== null) prepareDemoPhone(demoPhoneSlot)
