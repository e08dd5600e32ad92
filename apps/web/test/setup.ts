import '../src/app/styles.css'
import toast from 'react-hot-toast/headless'
import { afterEach } from 'vitest'

document.documentElement.lang = 'pt-BR'

// A notice leaves after some seconds of the page's clock, which runs on while a busy machine keeps the test waiting.
const { custom } = toast
toast.custom = (texto, opcoes) => custom(texto, { ...opcoes, duration: Infinity })
// And one that stays must not keep the test from what lies under it.
const atravessar = document.createElement('style')
atravessar.textContent =
  '[aria-label=Avisos], [aria-label=Avisos] > * { pointer-events: none } [aria-label=Avisos] button { pointer-events: auto }'
document.head.append(atravessar)

// What waits for an idle moment comes at once: on a busy machine that moment would come in the middle of a test.
window.requestIdleCallback = (fazer) => window.setTimeout(fazer, 0, { didTimeout: false, timeRemaining: () => 50 })

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  document.documentElement.dataset['theme'] = 'light'
})
