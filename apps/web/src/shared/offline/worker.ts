import { avisar } from '#shared/avisos.ts'

/** Registers and updates the service worker, and offers a reload when the page is outdated. */

const UMA_HORA_MS = 3_600_000

async function paginaVelha(): Promise<boolean> {
  const entrada = document.querySelector('script[type=module][src]')?.getAttribute('src')
  if (entrada === undefined || entrada === null) return false
  const resposta = await fetch('/app.html')
  return resposta.ok && !(await resposta.text()).includes(entrada)
}

async function avisarVersaoNova(): Promise<void> {
  if (!(await paginaVelha().catch(() => false))) return
  avisar.info('Nova versão disponível', {
    duracaoMs: Infinity,
    acao: { rotulo: 'Atualizar', fazer: () => location.reload() },
  })
}

/** A panel stays open for days. Looks for a new version when the user returns to it, at most once per hour. */
function manterAtual(registro: ServiceWorkerRegistration): void {
  let visto = performance.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - visto < UMA_HORA_MS) return
    visto = performance.now()
    // Ignores a failure (offline); the next check is at least an hour later.
    registro.update().catch(() => undefined)
  })
}

let registrado = false

/** Registers the worker of the built panel once. Browsers allow workers only over HTTPS and on localhost. */
export function registrarWorker(): void {
  if (registrado || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  registrado = true
  const { serviceWorker } = navigator
  // The first worker of a browser has the same build as the page, so there is nothing to announce.
  if (serviceWorker.controller !== null) {
    serviceWorker.addEventListener('controllerchange', () => void avisarVersaoNova())
  }
  serviceWorker.register('/sw.js', { updateViaCache: 'none' }).then(manterAtual, () => undefined)
}
