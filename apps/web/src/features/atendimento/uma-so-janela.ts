/**
 * With several browser tabs open, exactly one shows each notice. The focused tab waits least, then visible, then
 * hidden tabs.
 * A Web Lock per notice decides the race.
 */

const ESPERA_VISIVEL_MS = 80
const ESPERA_ESCONDIDA_MS = 400
/** A tab delayed by throttling still finds the notice claimed for this long. */
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
  // Without a secure context there are no Web Locks: only the BroadcastChannel prevents duplicates.
  if (!('locks' in navigator)) return true
  return new Promise((resolve) => {
    void navigator.locks.request(`aviso:${chave}`, { ifAvailable: true }, async (tranca) => {
      resolve(tranca !== null)
      if (tranca !== null) await new Promise((soltar) => setTimeout(soltar, GUARDADO_MS))
    })
  })
}

/** Resolves to true in exactly one browser tab per notice. */
export async function souQuemAvisa(chave: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, esperaDaqui()))
  if (tomados.has(chave) || !(await tomarTranca(chave))) return false
  lembrar(chave)
  canal?.postMessage(chave)
  return true
}
