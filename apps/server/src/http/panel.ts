import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

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
]

const ONE_YEAR_S = 31_536_000

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

/** Serves the built panel: hashed assets are cached for a year, pages are always revalidated. */
export async function servePanel(app: FastifyInstance, dist: string): Promise<void> {
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
      void reply.header('cache-control', immutable ? `public, max-age=${ONE_YEAR_S}, immutable` : 'no-cache')
    },
  })
  app.get('/', (_request, reply) => reply.sendFile('index.html'))
  for (const page of PANEL_PATHS) app.get(page, (_request, reply) => reply.sendFile('app.html'))
}

const NOT_BUILT = 'O painel ainda não foi preparado. Inicie o Balcão com npm start.'

/** Answers 503 for every page of the panel while it is not built. */
export function refusePanel(app: FastifyInstance): void {
  for (const page of ['/', ...PANEL_PATHS]) {
    app.get(page, (_request, reply) =>
      reply.code(503).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(NOT_BUILT),
    )
  }
}
