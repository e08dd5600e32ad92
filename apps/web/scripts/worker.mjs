/* global VERSAO, ARQUIVOS, PAGINAS -- written in front of this file by the build: see pwa.ts */

// The panel's service worker. It keeps the program, never what passes through it: only the files listed by the build are
// stored, when it is installed, and nothing is added afterwards. The API, the realtime connection, pictures and media always
// go to the network and are never looked at here.

const CACHE = `balcao-${VERSAO}`
const CASCA = '/app.html'
const ESPERA_MS = 4_000

self.addEventListener('install', (evento) => {
  evento.waitUntil(guardar().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (evento) => {
  evento.waitUntil(esquecerVelhas().then(() => self.clients.claim()))
})

self.addEventListener('fetch', (evento) => {
  const { request } = evento
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (PAGINAS.some((pagina) => pathname === pagina || pathname.startsWith(`${pagina}/`))) {
      evento.respondWith(abrir(request))
    } else if (pathname === '/') {
      evento.respondWith(fetch(request).catch(() => Response.redirect('/dashboard')))
    }
  } else if (pathname.startsWith('/assets/') || ARQUIVOS.includes(pathname)) {
    evento.respondWith(servir(request))
  }
})

/** Stores all files of a version or none. Only the page is fetched without the HTTP cache; the other names contain a hash. */
async function guardar() {
  const cache = await caches.open(CACHE)
  await cache.addAll([new Request(CASCA, { cache: 'reload' }), ...ARQUIVOS])
}

/** The version before this one stays: pages that still run it may ask for a part they did not have yet. */
async function esquecerVelhas() {
  const outras = (await caches.keys()).filter((nome) => nome.startsWith('balcao-') && nome !== CACHE)
  await Promise.all(outras.slice(0, -1).map((nome) => caches.delete(nome)))
}

/** A page of the panel: the server's while it answers, the kept one when it does not. */
async function abrir(request) {
  const corte = new AbortController()
  const relogio = setTimeout(() => corte.abort(), ESPERA_MS)
  try {
    const resposta = await fetch(request, { signal: corte.signal })
    if (resposta.status < 500) return resposta
  } catch {
    // No network, or none worth waiting for.
  } finally {
    clearTimeout(relogio)
  }
  const cache = await caches.open(CACHE)
  return (await cache.match(CASCA)) ?? Response.error()
}

async function servir(request) {
  return (await caches.match(request)) ?? fetch(request)
}
