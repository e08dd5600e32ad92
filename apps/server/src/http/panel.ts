import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { negotiate } from '@fastify/accept-negotiator'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#deps.ts'
import { sendUnknownRoute } from './error-handler.ts'
import type { KeptAssets } from './kept-assets.ts'

/** Paths of the single-page panel. Every other path shows the landing page. */
const PANEL_PATHS = [
  '/login',
  '/register',
  '/forgot-password',
  '/redefinir-senha',
  '/terms',
  '/privacy',
  '/ajuda',
  '/ajuda/:tema',
  '/dashboard',
  '/admin',
  '/simulador',
  '/conta',
  '/seguranca',
]

const ONE_YEAR_S = 31_536_000
const IMMUTABLE = `public, max-age=${ONE_YEAR_S}, immutable`

const ASSET_TYPES: ReadonlyMap<string, string> = new Map([
  ['js', 'application/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['woff2', 'font/woff2'],
])

/** Returns `'sha256-…'` of each inline script of the built pages, for the content security policy. */
export function inlineScriptHashes(dist: string): string[] {
  const hashes = new Set<string>()
  for (const page of ['index.html', 'app.html']) {
    const path = join(dist, page)
    if (!existsSync(path)) continue
    const html = readFileSync(path, 'utf8')
    for (const [, body = ''] of html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)) {
      hashes.add(`'sha256-${createHash('sha256').update(body).digest('base64')}'`)
    }
  }
  return [...hashes]
}

/**
 * Serves the built panel: hashed assets are cached for a year, pages are always revalidated. Tabs of another build get
 * its assets from the database.
 */
export async function servePanel(
  app: FastifyInstance,
  dist: string,
  { keptAssets, log }: Pick<Deps, 'keptAssets' | 'log'>,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: dist,
    index: false,
    wildcard: false,
    // The build stores each file also as `.br` and `.gz`. Compressing per request would take the threads of the passwords.
    preCompressed: true,
    globIgnore: ['**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      const immutable = path.includes('/assets/')
      void reply.header('cache-control', immutable ? IMMUTABLE : 'no-cache')
    },
  })
  app.get('/', (_request, reply) => reply.sendFile('index.html'))
  for (const page of PANEL_PATHS) app.get(page, (_request, reply) => reply.sendFile('app.html'))
  serveKeptAssets(app, keptAssets)
  storeAfterListening(app, () =>
    keptAssets.store().catch((error: unknown) => log.error({ err: error }, 'panel assets not stored for other builds')),
  )
}

/** The plugin has one route for each file of this build, so only other names get here. */
function serveKeptAssets(app: FastifyInstance, keptAssets: KeptAssets): void {
  app.get<{ Params: { nome: string } }>('/assets/:nome', async (request, reply) => {
    const { nome } = request.params
    const type = ASSET_TYPES.get(extname(nome).slice(1))
    const asset = type === undefined ? null : await keptAssets.find(nome)
    if (type === undefined || asset === null) return sendUnknownRoute(request, reply)
    void reply.type(type).header('cache-control', IMMUTABLE).header('vary', 'accept-encoding')
    const wanted = request.headers['accept-encoding']?.toLowerCase() ?? ''
    const encoding = negotiate(wanted, Object.keys(asset.encoded))
    const encoded = encoding === 'br' || encoding === 'gzip' ? asset.encoded[encoding] : undefined
    if (encoded === undefined) return reply.send(asset.bytes)
    return reply.header('content-encoding', encoding).send(encoded)
  })
}

/** Does not delay the start. The shutdown waits for the end, because it closes the database afterwards. */
function storeAfterListening(app: FastifyInstance, store: () => Promise<void>): void {
  let stored: Promise<void> | null = null
  app.addHook('onListen', (done) => {
    stored = store()
    done()
  })
  app.addHook('onClose', async () => {
    await stored
  })
}

const NOT_BUILT = 'O painel ainda não foi preparado. Inicie o Balcão com npm start.'

export function refusePanel(app: FastifyInstance): void {
  for (const page of ['/', ...PANEL_PATHS]) {
    app.get(page, (_request, reply) =>
      reply.code(503).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(NOT_BUILT),
    )
  }
}
