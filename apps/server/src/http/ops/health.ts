import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bearerToken } from '#http/authentication.ts'
import { metricsOf } from './metrics.ts'
import { checkReady, type ReadyDeps } from './ready.ts'

const READY_CACHE_MS = 1_000

type HealthDeps = ReadyDeps & Pick<Deps, 'realtime'>

/** Serves `/api/ready` and `/metrics`. `/api/health` is a route of the contract. */
export function healthRoutes(http: FastifyInstance, deps: HealthDeps): void {
  const metrics = metricsOf(deps)
  metrics.install(http)
  let encerrando = false
  http.addHook('preClose', async () => {
    encerrando = true
  })

  const ready = onceASecond(() => checkReady(deps))
  http.get('/api/ready', async (_request, reply) => {
    const parts = await ready()
    const sucesso = Object.values(parts).every((boa) => boa) && !encerrando
    return reply.code(sucesso ? 200 : 503).send({ sucesso, ...parts, encerrando })
  })

  for (const url of ['/metrics', '/api/metrics']) {
    http.get(url, async (request, reply) => {
      if (!mayReadMetrics(request, deps.settings.metricsToken)) throw new AppError('semPermissao')
      const text = metrics.render(await readGauges(deps))
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
    })
  }
}

function onceASecond<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly em: number; readonly resposta: Promise<T> } | null = null
  return () => {
    const agora = performance.now()
    if (last === null || agora - last.em > READY_CACHE_MS) last = { em: agora, resposta: ask() }
    return last.resposta
  }
}

/** Local host names. Blocks DNS rebinding: a page of another site that resolves to this machine sends its own name. */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Allows direct loopback connections without a proxy. All others must send the token. */
function mayReadMetrics(request: FastifyRequest, metricsToken: string | null): boolean {
  const direct = request.headers['x-forwarded-for'] === undefined && request.headers['forwarded'] === undefined
  if (
    direct &&
    LOCAL_HOST.test(request.headers.host ?? '') &&
    /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
  )
    return true
  const sent = Buffer.from(bearerToken(request) ?? request.headers.authorization?.replace(/^Bearer /, '') ?? '')
  const certo = Buffer.from(metricsToken ?? '')
  return metricsToken !== null && sent.length === certo.length && timingSafeEqual(sent, certo)
}

const gaugesSchema = z.object({
  enviadas: z.coerce.number(),
  recebidas: z.coerce.number(),
  fila: z.coerce.number(),
  atrasoFilaS: z.coerce.number(),
  emailsNaFila: z.coerce.number(),
  iaPerguntas: z.coerce.number(),
  iaFalhas: z.coerce.number(),
  iaTokens: z.coerce.number(),
  iaEsperando: z.coerce.number(),
})

const GAUGES_SQL = `
  select (select coalesce(sum(total), 0) from uso_diario) as "enviadas",
         (select coalesce(sum(recebidas), 0) from uso_diario) as "recebidas",
         (select count(*) from saida) as "fila",
         (select coalesce(greatest(extract(epoch from now() - min(proxima_em)), 0), 0) from saida) as "atrasoFilaS",
         (select count(*) from emails where enviado_em is null) as "emailsNaFila",
         (select coalesce(sum(perguntas), 0) from uso_ia) as "iaPerguntas",
         (select coalesce(sum(falhas), 0) from uso_ia) as "iaFalhas",
         (select coalesce(sum(tokens_entrada + tokens_saida), 0) from uso_ia) as "iaTokens",
         (select count(*) from perguntas_ia) as "iaEsperando"`

async function readGauges({ db, realtime }: HealthDeps): Promise<Record<string, number>> {
  const [parsed] = await db.transaction('*', (tx) => tx.rows(gaugesSchema, GAUGES_SQL, []))
  return {
    balcao_mensagens_enviadas: parsed?.enviadas ?? 0,
    balcao_mensagens_recebidas: parsed?.recebidas ?? 0,
    balcao_fila_de_saida: parsed?.fila ?? 0,
    balcao_fila_de_saida_atraso_seconds: parsed?.atrasoFilaS ?? 0,
    balcao_emails_na_fila: parsed?.emailsNaFila ?? 0,
    balcao_ia_perguntas: parsed?.iaPerguntas ?? 0,
    balcao_ia_falhas: parsed?.iaFalhas ?? 0,
    balcao_ia_tokens: parsed?.iaTokens ?? 0,
    balcao_ia_perguntas_esperando: parsed?.iaEsperando ?? 0,
    balcao_sockets: realtime.sockets?.() ?? 0,
  }
}
