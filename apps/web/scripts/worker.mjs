/* global VERSION, FILES, PAGES -- constants that pwa.ts writes in front of this file at build time */

// The panel's service worker. It stores only the files listed by the build, at installation. The API, sockets, pictures
// and media always use the network.

const CACHE = `balcao-${VERSION}`
const SHELL = '/app.html'
const TIMEOUT_MS = 4_000
/** For the panel to answer a click on a notice. */
const ANSWER_MS = 1_000

self.addEventListener('install', (event) => {
  event.waitUntil(storeVersion().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldVersions().then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (PAGES.some((page) => pathname === page || pathname.startsWith(`${page}/`))) {
      event.respondWith(openPage(request))
    } else if (pathname === '/') {
      event.respondWith(fetch(request).catch(() => Response.redirect('/dashboard')))
    }
  } else if (pathname.startsWith('/assets/') || FILES.includes(pathname)) {
    event.respondWith(serveFile(request))
  }
})

self.addEventListener('push', (event) => {
  event.waitUntil(showNotice(event.data?.json() ?? {}))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openConversa(event.notification.data ?? {}))
})

/** Stores all files of a version or none. Only the page skips the HTTP cache; the other names contain a hash. */
async function storeVersion() {
  const cache = await caches.open(CACHE)
  await cache.addAll([new Request(SHELL, { cache: 'reload' }), ...FILES])
}

/** Keeps the previous version: open pages of that version may still load parts of it. */
async function deleteOldVersions() {
  const others = (await caches.keys()).filter((name) => name.startsWith('balcao-') && name !== CACHE)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
}

/** Answers with the server's page. Without an answer in 4 s, or after a 5xx, the stored page is used. */
async function openPage(request) {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS)
  try {
    const response = await fetch(request, { signal: abort.signal })
    if (response.status < 500) return response
  } catch {
    // The network failed or timed out: the stored page follows.
  } finally {
    clearTimeout(timer)
  }
  const cache = await caches.open(CACHE)
  return (await cache.match(SHELL)) ?? Response.error()
}

async function serveFile(request) {
  return (await caches.match(request)) ?? fetch(request)
}

/**
 * Shows a notice of the server. A focused window of the panel shows the arrival itself. A hidden window may have shown it
 * under the same tag: that text stays, because a browser expects each push to show a notice.
 */
async function showNotice({ titulo = 'Balcão', tipo, conversaId }) {
  const windows = await self.clients.matchAll({ type: 'window' })
  if (tipo !== 'teste' && windows.some(({ focused }) => focused)) return
  const tag = conversaId === undefined ? tipo : `${tipo === 'mencao' ? 'mencao' : 'conversa'}:${conversaId}`
  const ofPanel = windows.some(isPanel) ? await self.registration.getNotifications({ tag }) : []
  const { title = titulo, body, data = { conversaId } } = ofPanel.find((shown) => shown.body !== '') ?? {}
  await self.registration.showNotification(title, { tag, body, icon: '/icone-192.png', lang: 'pt-BR', data })
}

function isPanel({ url }) {
  return new URL(url).pathname === '/dashboard'
}

/** Shows the conversa in the panel's open window, or in a new one. A notice without a conversa only shows the panel. */
async function openConversa({ conversaId, mensagemId }) {
  const search = new URLSearchParams({ aba: 'atendimento' })
  if (conversaId !== undefined) search.set('c', conversaId)
  if (mensagemId !== undefined) search.set('m', mensagemId)
  const address = `/dashboard?${search}`
  const panel = (await self.clients.matchAll({ type: 'window' })).find(isPanel)
  if (panel === undefined) return self.clients.openWindow(address)
  // Browsers refuse the focus some seconds after the click. The conversa opens without it.
  await panel.focus().catch(() => undefined)
  if (conversaId === undefined) return
  if (!(await askPanel(panel, { abrirConversa: conversaId, mensagem: mensagemId }))) await panel.navigate(address)
}

/** False if the panel does not answer: a window that still loads does not listen and loses the message. */
function askPanel(panel, message) {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), ANSWER_MS)
    panel.postMessage(message, [port2])
  })
}
