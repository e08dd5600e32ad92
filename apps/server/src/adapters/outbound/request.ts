import { type Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as pedirHttp } from 'node:http'
import { request as pedirHttps } from 'node:https'

/** A blocked call: a forbidden destination or a redirect. */
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

/** Yields the bytes up to the limit. Stopping the read closes the connection. */
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
