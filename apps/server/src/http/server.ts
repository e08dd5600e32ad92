import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController, fastify } from 'fastify'
import { IMAGEM_MAXIMO_BYTES, JSON_MAXIMO_BYTES, TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import { AppError } from '#errors.ts'
import { ipKey } from '#lib/ip-address.ts'
import { runForRequest } from '#lib/context/current-request.ts'
import { bearerToken, installKnownTokens } from './authentication.ts'
import { type IsTrustedHop, type TrustProxy, createTrust } from './limits/client-address.ts'
import { REQUESTS_PER_CONTA, installContaLimit } from './limits/conta-limit.ts'
import { installErrorHandler, sendFrameworkError, sendUnknownRoute } from './error-handler.ts'
import { installFloodGuard } from './limits/flood-guard.ts'
import { inlineScriptHashes } from './panel.ts'

const REQUEST_ID_HEADER = 'x-request-id'
const FORMAT = /^[\w-]{8,64}$/

/**
 * Names each request, for its log lines and its answer. A trusted proxy may have named it already; other names are
 * replaced, because a client could write anything into the log.
 */
function createRequestIds(isTrusted: IsTrustedHop): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers[REQUEST_ID_HEADER]
    const isKept = typeof given === 'string' && FORMAT.test(given) && isTrusted(socket.remoteAddress ?? '', 0)
    return isKept ? given : randomUUID()
  }
}

/** Gives the id to all work of a handler. The parsing of a body would lose it, so this hook runs afterwards. */
function installRequestContext(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => runForRequest(request.id, done))
}

export interface HttpOptions {
  readonly log: FastifyBaseLogger
  readonly trustProxy: TrustProxy
  /** True if the public address is https: browsers then keep to it for a year. */
  readonly https?: boolean
  readonly dist?: string
  /** Maximum time to send a body that is not multipart, in ms; tests shorten it. */
  readonly bodyMs?: number
  readonly requestsPerConta?: number
}

/**
 * Limit of Node for the whole request. It exceeds the panel's own timeout for uploads, so the panel can show its
 * message first.
 */
const REQUEST_MS = TIMEOUT_ENVIO_MS + 15_000

const BODY_MS = 30_000

/** 100 requests per second and caller, counted over 2 s so that a burst of clicks passes. */
const RATE_WINDOW_MS = 2_000
const REQUESTS_PER_WINDOW = 200

/** Per IP address. The panel has about 40 files, and many people may share an address. */
const PAGES_PER_WINDOW = 1_000
const PAGES_KEY = 'paginas'

/**
 * Images carry no token and have a separate limit, so a chat full of images does not block logins from the same IP
 * address.
 */
function addressKeyOf({ url, ip }: FastifyRequest): string {
  const key = ipKey(ip)
  if (!url.startsWith('/api')) return `${PAGES_KEY} ${key}`
  return /^\/api\/(midias|imagens)\//.test(url) ? `midias ${key}` : key
}

/** Key of the rate limit: a known token, else the IP address. Pages and files need no token. */
function callerOf(request: FastifyRequest): string {
  const token = bearerToken(request)
  if (token === null || !request.url.startsWith('/api')) return addressKeyOf(request)
  return request.server.knownTokens.has(token) ? token : `desconhecidos ${ipKey(request.ip)}`
}

/**
 * A burst of simulated messages is a valid test of the bot, so only the limit of the conta counts it. An unknown token
 * counts for its address as on every route, because each one costs a database read.
 */
function isSimulatedMessage(request: FastifyRequest): boolean {
  if (request.url !== '/api/simulador/mensagens') return false
  const token = bearerToken(request)
  return token !== null && request.server.knownTokens.has(token)
}

/** Unknown pages redirect to the landing page; unknown API paths and assets answer 404. */
function isPage(url: string): boolean {
  return !url.startsWith('/api') && !url.startsWith('/assets/')
}

const YEAR_S = 31_536_000

const OWN_HEADERS = new Set(['content-type', 'content-length', 'date', 'connection'])

/** Returns the headers of helmet, which are equal for all answers. One sample request computes them. */
async function securityHeaders(dist: string | undefined, https: boolean): Promise<OutgoingHttpHeaders> {
  const sample = fastify()
  await sample.register(helmet, {
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
        // Scripts cannot turn text into markup or code. `app.html` defines the only allowed policy.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default'],
      },
    },
    // A small server may use plain HTTP. Other hosts of the domain are not ours.
    strictTransportSecurity: https && { maxAge: YEAR_S, includeSubDomains: false },
  })
  sample.get('/', () => '')
  const { headers } = await sample.inject('/')
  await sample.close()
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)))
}

/**
 * Cuts a connection whose body takes longer than 30 s. Multipart uploads are exempt: a file may need longer on a
 * slow line.
 */
function cutSlowBodies(app: FastifyInstance, bodyMs = BODY_MS): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, headers } = request
    if (!raw.complete && headers['content-type']?.startsWith('multipart/') !== true) {
      const timer = setTimeout(() => {
        if (!raw.complete) raw.destroy()
      }, bodyMs)
      raw.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}

/** Accepts an empty body with a JSON content type, which many clients send. The route decides if a body is required. */
function acceptEmptyJson(app: FastifyInstance): void {
  const read = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, ready) =>
    body === '' ? ready(null, undefined) : read(request, body, ready),
  )
}

/**
 * The plugin limits only routes, and Fastify parses the body of a request before its handler for unknown URLs. So this
 * hook counts these requests and answers all but pages before the body is read.
 */
function limitUnknownUrls(app: FastifyInstance): void {
  const limit = app.rateLimit()
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    await limit.call(app, request, reply)
    if (request.method !== 'GET') return sendUnknownRoute(request, reply)
  })
}

export async function createHttp({
  log,
  trustProxy,
  dist,
  https = false,
  bodyMs,
  requestsPerConta = REQUESTS_PER_CONTA,
}: HttpOptions): Promise<FastifyInstance> {
  const headers = await securityHeaders(dist, https)
  const isTrusted = createTrust(trustProxy)
  const app = fastify({
    loggerInstance: log,
    trustProxy: isTrusted,
    genReqId: createRequestIds(isTrusted),
    bodyLimit: JSON_MAXIMO_BYTES,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'pedido' }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    http: { headersTimeout: 15_000 },
    // An undecodable URL runs no hook, so its headers are set here.
    frameworkErrors: (_error, { id }, reply) =>
      void sendFrameworkError(reply.headers({ ...headers, [REQUEST_ID_HEADER]: id })),
  })
  installErrorHandler(app)
  const countRefusal = installFloodGuard(app)
  app.removeContentTypeParser('text/plain')
  acceptEmptyJson(app)
  cutSlowBodies(app, bodyMs)
  app.setNotFoundHandler((request, reply) =>
    isPage(request.url) ? reply.redirect('/') : sendUnknownRoute(request, reply),
  )
  installKnownTokens(app)
  installContaLimit(app, requestsPerConta, countRefusal)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header(REQUEST_ID_HEADER, request.id)
    // Routes of files replace it. Answers hold personal data, which a shared device must not keep.
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store')
    done()
  })
  await app.register(rateLimit, {
    max: (_request, key) => (key.startsWith(PAGES_KEY) ? PAGES_PER_WINDOW : REQUESTS_PER_WINDOW),
    timeWindow: RATE_WINDOW_MS,
    keyGenerator: callerOf,
    allowList: isSimulatedMessage,
    onExceeded: countRefusal,
    errorResponseBuilder: (_request, context) =>
      new AppError('muitasTentativas', { tentarEmS: Math.ceil(context.ttl / 1000) }),
  })
  limitUnknownUrls(app)
  installRequestContext(app)
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
  await app.register(multipart, { limits: { fileSize: IMAGEM_MAXIMO_BYTES, files: 1, fields: 20, fieldSize: 65_536 } })
  return app
}
