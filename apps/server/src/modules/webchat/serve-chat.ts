import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import { CHAT_PATH } from './settings.ts'
import { createVisits } from './visit.ts'

const paramsSchema = z.object({ chave: z.string() })
/** The owner pastes the address once, so a new script must reach visitors soon. */
const SCRIPT_CACHED_S = 300

/** Other sites may load these files, unlike those of the panel. */
function allowOtherSites(reply: FastifyReply): void {
  void reply.removeHeader('x-frame-options').header('cross-origin-resource-policy', 'cross-origin')
}

/** `origens` have no character that ends a directive. */
function framePolicy(origens: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origens.length === 0 ? "'none'" : origens.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join(';')
}

/** Serves the script of the chat and the page of its frame, which only the sites of the line may embed. */
export function serveChat(http: FastifyInstance, deps: Pick<Deps, 'db' | 'clock' | 'settings'>, dist: string): void {
  const [scriptPath, pagePath] = [join(dist, 'chat.js'), join(dist, 'chat.html')]
  if (!existsSync(scriptPath) || !existsSync(pagePath)) return
  const script = readFileSync(scriptPath)
  const page = readFileSync(pagePath, 'utf8')
  const { requireChat } = createVisits(deps)
  const config = { erroPadrao: 'Erro ao abrir o chat' }

  http.get(`${CHAT_PATH}/:chave/chat.js`, { config }, (_request, reply) => {
    allowOtherSites(reply)
    void reply.header('cache-control', `public, max-age=${SCRIPT_CACHED_S}`)
    return reply.type('application/javascript; charset=utf-8').send(script)
  })

  http.get(`${CHAT_PATH}/:chave`, { config }, async (request, reply) => {
    const { chave } = paramsSchema.parse(request.params)
    const { origens } = await requireChat(request, chave)
    allowOtherSites(reply)
    void reply.headers({ 'content-security-policy': framePolicy(origens), 'cache-control': 'no-cache' })
    const html = page.replace('{{origens}}', origens.join(' ')).replace('{{api}}', `/api/web/${chave}`)
    return reply.type('text/html; charset=utf-8').send(html)
  })
}
