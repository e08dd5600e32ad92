import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bearerToken } from '#http/authentication.ts'
import { isReady } from './ready.ts'

type HealthDeps = Pick<Deps, 'db' | 'metrics' | 'readiness' | 'realtime' | 'settings'>

/** Serves `/api/ready` and `/metrics`. `/api/health` is a route of the contract. */
export function healthRoutes(http: FastifyInstance, deps: HealthDeps): void {
  const { metrics } = deps
  metrics.install(http)
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
      const text = await metrics.render(await readGauges(deps))
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

/** Gauges of the database, each a scalar SQL expression. */
const GAUGES = {
  balcao_mensagens_enviadas: 'select coalesce(sum(total), 0) from uso_diario',
  balcao_mensagens_recebidas: 'select coalesce(sum(recebidas), 0) from uso_diario',
  balcao_fila_de_saida: 'select count(*) from saida',
  balcao_fila_de_saida_atraso_seconds:
    'select coalesce(greatest(extract(epoch from now() - min(proxima_em)), 0), 0) from saida',
  balcao_emails_na_fila: 'select count(*) from emails where enviado_em is null',
  balcao_ia_perguntas: 'select coalesce(sum(perguntas), 0) from uso_ia',
  balcao_ia_falhas: 'select coalesce(sum(falhas), 0) from uso_ia',
  balcao_ia_tokens: 'select coalesce(sum(tokens_entrada + tokens_saida), 0) from uso_ia',
  balcao_ia_perguntas_esperando: 'select count(*) from perguntas_ia',
}
const GAUGES_SQL = `select ${Object.entries(GAUGES)
  .map(([name, sql]) => `(${sql}) as ${name}`)
  .join(', ')}`
const gaugesSchema = z.record(z.string(), z.coerce.number())

async function readGauges({ db, realtime }: HealthDeps): Promise<Record<string, number>> {
  const [gauges] = await db.transaction('*', (tx) => tx.rows(gaugesSchema, GAUGES_SQL))
  const sockets = { balcao_sockets: realtime.sockets?.() ?? 0, balcao_sockets_nao_lidos: realtime.unread?.() ?? 0 }
  return { ...gauges, ...sockets }
}
