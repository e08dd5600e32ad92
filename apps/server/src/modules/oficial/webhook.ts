import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { readForStranger } from '#http/authentication.ts'
import { ipKey } from '#lib/ip-address.ts'
import { type CountPrices, createPriceCounter } from '#modules/custos/index.ts'
import {
  type OficialLine,
  findByWebhookAddress,
  insertWebhookEvents,
  openSecret,
  eventSealContext,
} from './repository.ts'
import { WEBHOOK_PATH } from './save-oficial.ts'

const paramsSchema = z.object({ endereco: z.string() })
const verificationSchema = z.object({
  'hub.mode': z.literal('subscribe'),
  'hub.verify_token': z.string().check(z.maxLength(300)),
  // Echoed in the response, so the pattern excludes markup.
  'hub.challenge': z.string().check(z.regex(/^[\w-]{1,200}$/)),
})
const ADDRESS_PATTERN = /^[\w-]{20,100}$/
const BODY_MAX_BYTES = 3 * 1024 * 1024
const WINDOW_MS = 2_000
const KNOWN_MAX = 1_000
const UNKNOWN_MAX = 200
const KNOWN_CACHE_MAX = 10_000

type KnownAddresses = LRUCache<string, string>

/**
 * Meta sends bursts from few IPs, so a known webhook address has its own limit. Requests to unknown addresses are
 * limited per IP.
 */
function webhookRateLimit(known: KnownAddresses) {
  const knownAddress = (request: FastifyRequest): string | null => {
    const { data } = paramsSchema.safeParse(request.params)
    return data !== undefined && known.has(data.endereco) ? data.endereco : null
  }
  return {
    timeWindow: WINDOW_MS,
    max: (request: FastifyRequest) => (knownAddress(request) === null ? UNKNOWN_MAX : KNOWN_MAX),
    keyGenerator: (request: FastifyRequest) => knownAddress(request) ?? `webhooks ${ipKey(request.ip)}`,
  }
}

/**
 * Receives Meta's webhooks. A signed delivery is stored before Meta gets a 200. Addresses without an active account
 * get 404 before the body is read; an invalid signature is refused before the body is parsed.
 */
export async function receiveWebhooks(http: FastifyInstance, deps: Deps): Promise<void> {
  const countPrices = createPriceCounter(deps)
  const known: KnownAddresses = new LRUCache({ max: KNOWN_CACHE_MAX })
  const lines = new WeakMap<FastifyRequest, OficialLine>()
  const lineOf = (request: FastifyRequest): OficialLine => {
    const line = lines.get(request)
    if (line === undefined) throw new AppError('naoEncontrado')
    return line
  }
  await http.register(async (routes) => {
    // Runs before the body is read, and after the rate limit, which the plugin adds to `onRequest` of the route.
    routes.addHook('preParsing', async (request) => {
      const { endereco } = paramsSchema.parse(request.params)
      const line = await findWebhookLine(deps, request, { endereco, contaId: known.get(endereco) })
      if (line === null) {
        known.delete(endereco)
        throw new AppError('naoEncontrado')
      }
      known.set(endereco, line.contaId)
      lines.set(request, line)
    })
    routes.removeAllContentTypeParsers()
    // The signature covers the raw bytes.
    routes.addContentTypeParser('*', { parseAs: 'buffer' }, (_pedido, body, ready) => ready(null, body))
    const url = `${WEBHOOK_PATH}/:endereco`
    const config = { erroPadrao: 'Erro ao receber aviso', rateLimit: webhookRateLimit(known) }

    routes.get(url, { config }, async (request, reply) => {
      const line = lineOf(request)
      const question = verificationSchema.safeParse(request.query)
      const correct = openSecret(deps.vault, line.linhaId, 'verificacao', line.verificacao)
      if (!question.success || !isTokenEqual(question.data['hub.verify_token'], correct)) {
        throw new AppError('semPermissao')
      }
      return reply.type('text/plain; charset=utf-8').send(question.data['hub.challenge'])
    })

    routes.post(url, { config, bodyLimit: BODY_MAX_BYTES }, async (request) => {
      const line = lineOf(request)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const secret = openSecret(deps.vault, line.linhaId, 'segredo', line.segredo)
      const header = request.headers['x-hub-signature-256']
      if (!isSignatureValid(body, header?.toString(), secret)) throw new AppError('semPermissao')
      await storeEvents({ ...deps, countPrices }, line, parseJson(body))
      return { sucesso: true }
    })
  })
}

/** A known address waits with the requests of its conta, so strangers do not delay Meta. */
async function findWebhookLine(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  { endereco, contaId }: { readonly endereco: string; readonly contaId: string | undefined },
): Promise<OficialLine | null> {
  const find = (tx: Tx): Promise<OficialLine | null> => findByWebhookAddress(tx, { endereco })
  if (contaId !== undefined) return db.read(contaId, find)
  return ADDRESS_PATTERN.test(endereco) ? readForStranger(request, () => db.read('*', find)) : null
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError('dadosInvalidos')
  }
}

/** Meta repeats a delivery that was not acknowledged, so both steps are idempotent. */
async function storeEvents(
  { db, vault, oficial, countPrices }: Pick<Deps, 'db' | 'vault' | 'oficial'> & { readonly countPrices: CountPrices },
  line: OficialLine,
  delivery: unknown,
): Promise<void> {
  const { contaId, linhaId, telefoneId } = line
  if (telefoneId === '') return
  const arrivals = oficial.parseWebhook(delivery, telefoneId)
  const prices = oficial.parsePrices(delivery, telefoneId)
  if (arrivals.length === 0 && prices.length === 0) return
  const sealed = arrivals.map(({ id, valor }) => ({ id, valor: vault.seal(valor, eventSealContext(linhaId, id)) }))
  if (sealed.length > 0) {
    const stored = await db.transaction(contaId, (tx) => insertWebhookEvents(tx, line, sealed))
    if (!stored) throw new AppError('servidorOcupado')
    oficial.wake(linhaId)
  }
  await countPrices({ contaId, linhaId }, prices)
}

/** Checks Meta's signature of the raw body. Returns false without a configured secret. */
export function isSignatureValid(body: Buffer, header: string | undefined, secret: string): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '') ?? []
  if (secret === '' || hex === undefined) return false
  return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'))
}

/** Compares hashes, so the time does not depend on the content or the length. */
export function isTokenEqual(given: string, expected: string): boolean {
  const summary = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(summary(given), summary(expected))
}
