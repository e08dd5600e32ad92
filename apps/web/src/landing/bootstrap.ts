import { recordEarlyClicks } from './early-clicks.ts'

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
  let request = false
  const load = (): void => {
    if (request) return
    request = true
    // Offline or an old browser: the static conversation stays.
    import('./demo-phone.tsx').then(
      ({ hydrateDemoPhone }) => hydrateDemoPhone(slot, queue.flush),
      () => (request = false),
    )
  }
  const queue = recordEarlyClicks(slot, load)
  const aoVer = (entries: readonly IntersectionObserverEntry[], observer: IntersectionObserver): void => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    if (document.readyState === 'complete') runWhenIdle(load)
    else addEventListener('load', () => runWhenIdle(load), { once: true })
  }
  // Loads once a third is visible. Small phones show only the awning first, and visitors who leave there download
  // nothing.
  new IntersectionObserver(aoVer, { threshold: 0.33 }).observe(slot)
}

const demoPhoneSlot = document.getElementById('simulador')
if (demoPhoneSlot !== null) prepareDemoPhone(demoPhoneSlot)
