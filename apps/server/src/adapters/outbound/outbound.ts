import { lookup as resolverDoSistema, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as pedirHttp } from 'node:http'
import { Agent as HttpsAgent, request as pedirHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isThisMachine, networkTypeOf } from './networks.ts'

export interface OutboundOptions {
  /** Origins fixed in the code, such as `https://graph.facebook.com`. They must resolve to public addresses. */
  readonly fixedOrigins: readonly string[]
  /** Origins from the environment. They may resolve to private addresses, such as an internal proxy. */
  readonly envOrigins?: readonly string[]
  /** Origins that the administrator named. They may resolve to private addresses, but not to this machine. */
  readonly privateOrigins?: readonly string[]
  /** Also allows every subdomain of these hosts over https, such as of `whatsapp.net`. */
  readonly subdomainsOf?: readonly string[]
  readonly loopback?: boolean
  readonly maxBytes: number
  /** Time from the first byte sent to the last one received; 15 s by default. */
  readonly timeoutMs?: number
  readonly resolver?: Resolver
}

export type Resolver = (
  name: string,
  opcoes: { readonly all: true },
  giveBack: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** A `fetch` restricted to allowed destinations. A redirect throws, unless `redirect` is `manual`. */
export type OutboundFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

const TIMEOUT_MS = 15_000
/** Idle connections are closed before the other side closes them. */
const IDLE_MS = 4_000

/**
 * The only client for outgoing HTTP: known origins, no redirects, a timeout and a size limit. The connection uses
 * exactly the addresses that were checked, so DNS rebinding cannot reach private networks or cloud metadata. Errors
 * are a `TypeError` with the cause, as in `fetch`.
 */
export function createOutbound(options: OutboundOptions): OutboundFetch {
  const { envOrigins = [], privateOrigins = [], loopback = false, maxBytes, timeoutMs = TIMEOUT_MS } = options
  const { resolver = resolverDoSistema } = options
  const ours = new Set(envOrigins.map((endereco) => new URL(endereco).hostname))
  if (loopback) ours.add('localhost')
  const named = new Set(privateOrigins.map((origin) => new URL(origin).hostname))
  const allowed = createDestinationCheck(options)

  const lookup: LookupFunction = (name, opcoes, giveBack) =>
    resolver(name, { ...opcoes, all: true }, (error, found) => {
      if (error !== null) return giveBack(error, [])
      const forbidden = found.find(({ address }) => !mayConnect(address, ours.has(name), named.has(name)))
      if (forbidden !== undefined)
        return giveBack(new OutboundRefused(`address refused: ${name} resolves to ${forbidden.address}`), [])
      if (opcoes.all === true) return giveBack(null, found)
      const [first] = found
      giveBack(null, first?.address ?? '', first?.family)
    })

  const lines = { keepAlive: true, timeout: IDLE_MS, lookup }
  const agentes = { 'http:': new HttpAgent(lines), 'https:': new HttpsAgent(lines) }

  return async (url, init = {}) => {
    const destination = new URL(url)
    if (!allowed(destination))
      throw new TypeError('fetch failed', {
        cause: new OutboundRefused(`destination not allowed: ${destination.origin}`),
      })
    const agente = destination.protocol === 'http:' ? agentes['http:'] : agentes['https:']
    return sendRequest(destination, init, { agent: agente, maxBytes, timeoutMs })
  }
}

type Destinations = Pick<
  OutboundOptions,
  'fixedOrigins' | 'envOrigins' | 'privateOrigins' | 'subdomainsOf' | 'loopback'
>

/** Returns the check of a URL before any lookup. A host that passes may still resolve to a refused address. */
export function createDestinationCheck(destinations: Destinations): (url: URL) => boolean {
  const { fixedOrigins, envOrigins = [], privateOrigins = [], subdomainsOf = [], loopback = false } = destinations
  const origens = new Set(
    [...fixedOrigins, ...envOrigins, ...privateOrigins].map((endereco) => new URL(endereco).origin),
  )
  return ({ origin, protocol, port, hostname }) =>
    origens.has(origin) ||
    (loopback && LOOPBACK_HOSTS.has(hostname)) ||
    (protocol === 'https:' && port === '' && subdomainsOf.some((host) => hostname.endsWith(`.${host}`)))
}

/**
 * Private addresses only for hosts from the environment or named by the administrator, this machine only for those from
 * the environment. Link-local names are always refused; a literal address
 * skips the lookup.
 */
function mayConnect(address: string, fromEnv: boolean, isNamed: boolean): boolean {
  const network = networkTypeOf(address)
  return network === 'internet' || (network === 'interna' && (fromEnv || (isNamed && !isThisMachine(address))))
}

export class OutboundRefused extends Error {
  readonly code = 'SAIDA_RECUSADA'
  override readonly name = 'SaidaRecusada'
}

/** Some file servers reject requests without a user agent. */
const USER_AGENT = 'balcao/2'

interface RequestOptions {
  readonly agent: HttpAgent
  readonly maxBytes: number
  readonly timeoutMs: number
}

/**
 * One HTTP request with `fetch`'s interface. It uses Node's client, which accepts our agents and does not follow
 * redirects.
 */
export async function sendRequest(
  url: URL,
  init: RequestInit,
  { agent: agente, maxBytes, timeoutMs }: RequestOptions,
): Promise<Response> {
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([deadline, ...(init.signal instanceof AbortSignal ? [init.signal] : [])])
  // `Request` serialises forms and sets their content type.
  const pedido = new Request(url, { ...init, signal })
  const corpo = Buffer.from(await pedido.arrayBuffer())
  const headers = {
    'user-agent': USER_AGENT,
    ...Object.fromEntries(pedido.headers),
    ...lengthHeader(pedido.method, corpo),
  }
  const send = url.protocol === 'http:' ? pedirHttp : pedirHttps
  try {
    const reply = await awaitResponse(send(url, { method: pedido.method, headers, agent: agente, signal }), corpo)
    if (init.redirect !== 'manual' && isRedirect(reply)) throw new OutboundRefused('redirect refused')
    return toResponse(reply, { maximoBytes: maxBytes, signal })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new TypeError('fetch failed', { cause: error })
  }
}

function isRedirect(response: IncomingMessage): boolean {
  const { statusCode = 0 } = response
  if (statusCode < 300 || statusCode >= 400 || statusCode === 304) return false
  response.destroy()
  return true
}

function lengthHeader(method: string, body: Buffer): Record<string, string> {
  return body.length === 0 && method === 'GET' ? {} : { 'content-length': String(body.length) }
}

function awaitResponse(request: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', reject)
    request.end(body)
  })
}

function toResponse(incoming: IncomingMessage, limits: { maximoBytes: number; signal: AbortSignal }): Response {
  const headers = new Headers()
  for (const [nome, values] of Object.entries(incoming.headersDistinct)) {
    for (const valor of values ?? []) headers.append(nome, valor)
  }
  const { statusCode: status = 0, statusMessage: statusText = '' } = incoming
  const semCorpo = status === 204 || status === 205 || status === 304
  if (semCorpo) incoming.resume()
  const corpo = semCorpo ? null : toStream(readUpToLimit(incoming, limits))
  return new Response(corpo, { status, statusText, headers })
}

function toStream(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controle) => {
      const { done, value } = await parts.next()
      if (done === true) controle.close()
      else controle.enqueue(value)
    },
    cancel: async () => {
      await parts.return(undefined)
    },
  })
}

async function* readUpToLimit(
  incoming: IncomingMessage,
  { maximoBytes, signal }: { maximoBytes: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const part of incoming) {
      const chunk: unknown = part
      if (!(chunk instanceof Uint8Array)) continue
      bytes += chunk.length
      if (bytes > maximoBytes) throw new Error('the answer exceeds the limit')
      yield chunk
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    incoming.destroy()
  }
}
