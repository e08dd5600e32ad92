/**
 * The panel may be open in several tabs of the browser: what happens is told by one of them. The one being looked at speaks first;
 * the hidden ones wait for it, and the first to take the notice's lock is the only one that tells it.
 */

const ESPERA_VISIVEL_MS = 80
const ESPERA_ESCONDIDA_MS = 400
/** A slow tab finds the notice taken for this long. */
const GUARDADO_MS = 10_000

const canal = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('balcao-avisos')
const tomados = new Set<string>()
canal?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (typeof data === 'string') lembrar(data)
})

function lembrar(chave: string): void {
  tomados.add(chave)
  setTimeout(() => tomados.delete(chave), GUARDADO_MS)
}

function esperaDaqui(): number {
  if (document.visibilityState !== 'visible') return ESPERA_ESCONDIDA_MS
  return document.hasFocus() ? 0 : ESPERA_VISIVEL_MS
}

async function tomarTranca(chave: string): Promise<boolean> {
  // Without a secure context there are no locks: what was said on the channel is then enough.
  if (!('locks' in navigator)) return true
  return new Promise((resolve) => {
    void navigator.locks.request(`aviso:${chave}`, { ifAvailable: true }, async (tranca) => {
      resolve(tranca !== null)
      if (tranca !== null) await new Promise((soltar) => setTimeout(soltar, GUARDADO_MS))
    })
  })
}

/** True in exactly one tab of the browser for each notice. */
export async function souQuemAvisa(chave: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, esperaDaqui()))
  if (tomados.has(chave) || !(await tomarTranca(chave))) return false
  lembrar(chave)
  canal?.postMessage(chave)
  return true
}
