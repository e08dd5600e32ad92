import { avisar } from '#shared/avisos.ts'

/** The page's side of the service worker: registers it, keeps it fresh, and says when the page itself is old. */

const UMA_HORA_MS = 3_600_000

/** Whether the server now serves another build than the one this page runs. */
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

/** A panel stays open for days: coming back to it is when a new version is looked for. */
function manterAtual(registro: ServiceWorkerRegistration): void {
  let visto = performance.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - visto < UMA_HORA_MS) return
    visto = performance.now()
    // Without network nothing new can be had: the next look comes in an hour.
    registro.update().catch(() => undefined)
  })
}

let registrado = false

/** Registers the worker of the built panel, once. Browsers have none over plain HTTP, except on this machine. */
export function registrarWorker(): void {
  if (registrado || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  registrado = true
  const { serviceWorker } = navigator
  // The first worker of a browser takes over a page that is its own version: there is nothing to say.
  if (serviceWorker.controller !== null) {
    serviceWorker.addEventListener('controllerchange', () => void avisarVersaoNova())
  }
  // Without it the panel is as before: it only needs the network.
  serviceWorker.register('/sw.js', { updateViaCache: 'none' }).then(manterAtual, () => undefined)
}
