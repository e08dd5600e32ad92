import { notify } from '#shared/avisos.ts'

const ONE_HOUR_MS = 3_600_000

async function isPageOutdated(): Promise<boolean> {
  const input = document.querySelector('script[type=module][src]')?.getAttribute('src')
  if (input === undefined || input === null) return false
  const reply = await fetch('/app.html')
  return reply.ok && !(await reply.text()).includes(input)
}

async function notifyNewVersion(): Promise<void> {
  if (!(await isPageOutdated().catch(() => false))) return
  notify.info('Nova versão disponível', {
    durationMs: Infinity,
    action: { label: 'Atualizar', run: () => location.reload() },
  })
}

/** A panel stays open for days. Looks for a new version when the user returns to it, at most once per hour. */
function keepUpToDate(registration: ServiceWorkerRegistration): void {
  let seen = performance.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - seen < ONE_HOUR_MS) return
    seen = performance.now()
    // Ignores a failure (offline); the next check is at least an hour later.
    registration.update().catch(() => undefined)
  })
}

let registered = false

/** Registers the worker of the built panel once. Browsers allow workers only over HTTPS and on localhost. */
export function registerWorker(): void {
  if (registered || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  registered = true
  const { serviceWorker } = navigator
  // The first worker of a browser has the same build as the page, so there is nothing to announce.
  if (serviceWorker.controller !== null) {
    serviceWorker.addEventListener('controllerchange', () => void notifyNewVersion())
  }
  serviceWorker.register('/sw.js', { updateViaCache: 'none' }).then(keepUpToDate, () => undefined)
}
