import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openApiDocument } from '@balcao/contract/openapi'
import { apiRoutes } from '@balcao/contract/routes/all'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bearerToken } from '#http/authentication.ts'
import { createGaugeReader } from './metrics/read-gauges.ts'
import { isReady } from './ready.ts'

type HealthDeps = Pick<
  Deps,
  'db' | 'clock' | 'log' | 'metrics' | 'readiness' | 'realtime' | 'bots' | 'settings' | 'fleet' | 'files'
>

/** Serves `/api/ready` and `/metrics`. `/api/health` is a route of the contract. */
export function healthRoutes(http: FastifyInstance, deps: HealthDeps): void {
  const { metrics } = deps
  metrics.install(http)
  deps.db.onCommit(metrics.observeCommit)
  const readGauges = createGaugeReader(deps)
  let closing = false
  http.addHook('onListen', (done) => {
    deps.readiness.start()
    done()
  })
  http.addHook('preClose', async () => {
    closing = true
  })
  http.addHook('onClose', async () => deps.readiness.stop())

  http.get('/api/ready', async (_request, reply) => {
    const parts = await deps.readiness.read()
    const sucesso = isReady(parts) && !closing
    return reply.code(sucesso ? 200 : 503).send({ sucesso, ...parts, encerrando: closing })
  })

  for (const url of ['/metrics', '/api/metrics']) {
    http.get(url, async (request, reply) => {
      if (!mayReadMetrics(request, deps.settings.metricsToken)) throw new AppError('semPermissao')
      const text = await metrics.render(await readGauges())
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
    })
  }
}

/** Local host names. Blocks DNS rebinding: a page of another site that resolves to this machine sends its own name. */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Allows direct loopback connections without a proxy. All others must send the token. */
function mayReadMetrics(request: FastifyRequest, metricsToken: string | null): boolean {
  if (isDirectLoopback(request)) return true
  if (metricsToken === null) return false
  const sent = Buffer.from(bearerToken(request) ?? request.headers.authorization?.replace(/^Bearer /, '') ?? '')
  const expected = Buffer.from(metricsToken)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

function isDirectLoopback({ headers, socket }: FastifyRequest): boolean {
  return (
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined &&
    LOCAL_HOST.test(headers.host ?? '') &&
    /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '')
  )
}

export function docsRoute(http: FastifyInstance): void {
  let document: string | null = null
  http.get('/api/docs', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(apiRoutes))
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
