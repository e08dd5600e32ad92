import type { OutgoingHttpHeaders } from 'node:http'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import { fastify, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { IMAGEM_MAXIMO_BYTES, JSON_MAXIMO_BYTES } from '@balcao/contract/constants'
import { AppError } from '#errors.ts'
import { bearerToken } from './authentication.ts'
import { installErrorHandler, sendFrameworkError, sendUnknownRoute } from './error-handler.ts'
import { installKnownTokens } from './known-tokens.ts'
import { inlineScriptHashes } from './panel.ts'
import { cutSlowBodies, PEDIDO_INTEIRO_MS } from './slow-bodies.ts'

export interface HttpOptions {
  readonly log: FastifyBaseLogger
  readonly trustProxy: boolean | string
  /** Folder of the built panel; absent in tests of the API alone. */
  readonly dist?: string
  /** How long the words of a request may take, in ms; tests shorten it. */
  readonly corpoMs?: number
}

/** 100 requests a second and token, measured over two seconds so that a burst of clicks passes. */
const JANELA_MS = 2_000
const PEDIDOS_POR_JANELA = 200

/** A chat full of pictures, which carry no token, takes nothing from who logs in behind the same address. */
function semToken({ url, ip }: FastifyRequest): string {
  return /^\/api\/(midias|imagens)\//.test(url) ? `midias ${ip}` : ip
}

/** Who a request counts for: the token, once somebody was let in with it, or else the address. */
function callerOf(request: FastifyRequest): string {
  const token = bearerToken(request)
  if (token === null) return semToken(request)
  return request.server.knownTokens.has(token) ? token : `desconhecidos ${request.ip}`
}

/** Unknown pages lead to the landing page; what a program asks for is answered that it is not there. */
function isPage(url: string): boolean {
  return !url.startsWith('/api') && !url.startsWith('/assets/')
}

/** Headers that an answer has of its own, whatever guards it. */
const PROPRIOS = new Set(['content-type', 'content-length', 'date', 'connection'])

/** What helmet sets, which is the same for every answer and therefore worked out once, on a sample of one. */
async function guardHeaders(dist: string | undefined): Promise<OutgoingHttpHeaders> {
  const amostra = fastify()
  await amostra.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...(dist === undefined ? [] : inlineScriptHashes(dist))],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // Texts become neither markup nor programs, in no screen and no library: `app.html` says what alone is let through.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default'],
      },
    },
    // The panel speaks plain HTTP on one small server too; a proxy with TLS adds its own HSTS.
    strictTransportSecurity: false,
  })
  amostra.get('/', () => '')
  const { headers } = await amostra.inject('/')
  await amostra.close()
  return Object.fromEntries(Object.entries(headers).filter(([nome]) => !PROPRIOS.has(nome)))
}

/** Many a client names JSON on every request, also where it has nothing to say: no bytes are no body, and the row decides. */
function acceptEmptyJson(app: FastifyInstance): void {
  const ler = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, corpo, pronto) =>
    corpo === '' ? pronto(null, undefined) : ler(request, corpo, pronto),
  )
}

/** A Fastify instance with the guards every answer passes: headers, sizes, rates, errors. */
export async function createHttp({ log, trustProxy, dist, corpoMs }: HttpOptions): Promise<FastifyInstance> {
  const cabecalhos = await guardHeaders(dist)
  const app = fastify({
    loggerInstance: log,
    trustProxy,
    bodyLimit: JSON_MAXIMO_BYTES,
    requestTimeout: PEDIDO_INTEIRO_MS,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    http: { headersTimeout: 15_000 },
    // An address that cannot be read comes to no hook: what guards every answer is set here too.
    frameworkErrors: (_error, _request, reply) => void sendFrameworkError(reply.headers(cabecalhos)),
  })
  installErrorHandler(app)
  acceptEmptyJson(app)
  cutSlowBodies(app, corpoMs)
  app.setNotFoundHandler((request, reply) =>
    isPage(request.url) && request.method === 'GET' ? reply.redirect('/') : sendUnknownRoute(request, reply),
  )
  installKnownTokens(app)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(cabecalhos)
    done()
  })
  await app.register(rateLimit, {
    max: PEDIDOS_POR_JANELA,
    timeWindow: JANELA_MS,
    keyGenerator: callerOf,
    // Simulated customers are not the panel: a burst of theirs is what the bot is there for.
    allowList: (request) => request.url === '/api/simulador/mensagens' || !request.url.startsWith('/api'),
    errorResponseBuilder: (_request, contexto) =>
      new AppError('muitasTentativas', { tentarEmS: Math.ceil(contexto.ttl / 1000) }),
  })
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
  await app.register(multipart, { limits: { fileSize: IMAGEM_MAXIMO_BYTES, files: 1, fields: 20, fieldSize: 65_536 } })
  return app
}
