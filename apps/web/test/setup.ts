import '../src/app/styles.css'
import toast from 'react-hot-toast/headless'
import { afterEach } from 'vitest'

document.documentElement.lang = 'pt-BR'

// Notices do not expire: their timers run on while a busy machine delays a test.
const { custom } = toast
toast.custom = (text, opcoes) => custom(text, { ...opcoes, duration: Infinity })
// Notices that stay let clicks through to the controls below.
const clickThroughStyle = document.createElement('style')
clickThroughStyle.textContent =
  '[aria-label=Avisos], [aria-label=Avisos] > * { pointer-events: none } [aria-label=Avisos] button { pointer-events: auto }'
document.head.append(clickThroughStyle)

// Idle callbacks run immediately: on a busy machine they would run in the middle of a test.
window.requestIdleCallback = (run) => window.setTimeout(run, 0, { didTimeout: false, timeRemaining: () => 50 })

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  document.documentElement.dataset['theme'] = 'light'
})
