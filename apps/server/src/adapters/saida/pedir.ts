import { type Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as pedirHttp } from 'node:http'
import { request as pedirHttps } from 'node:https'

/** A blocked call: a forbidden destination or a redirect. */
export class SaidaRecusada extends Error {
  readonly code = 'SAIDA_RECUSADA'
  override readonly name = 'SaidaRecusada'
}

/** Some file servers reject requests without a user agent. */
const QUEM_SOMOS = 'balcao/2'

interface Meios {
  readonly agente: HttpAgent
  readonly maximoBytes: number
  readonly prazoMs: number
}

/**
 * One HTTP request with `fetch`'s interface. It uses Node's client, which accepts our agents and does not follow
 * redirects.
 */
export async function pedir(
  destino: URL,
  init: RequestInit,
  { agente, maximoBytes, prazoMs }: Meios,
): Promise<Response> {
  const prazo = AbortSignal.timeout(prazoMs)
  const signal = AbortSignal.any([prazo, ...(init.signal instanceof AbortSignal ? [init.signal] : [])])
  // `Request` serialises forms and sets their content type.
  const pedido = new Request(destino, { ...init, signal })
  const corpo = Buffer.from(await pedido.arrayBuffer())
  const headers = {
    'user-agent': QUEM_SOMOS,
    ...Object.fromEntries(pedido.headers),
    ...tamanhoDe(pedido.method, corpo),
  }
  const enviar = destino.protocol === 'http:' ? pedirHttp : pedirHttps
  try {
    const resposta = await responder(enviar(destino, { method: pedido.method, headers, agent: agente, signal }), corpo)
    if (init.redirect !== 'manual' && desvia(resposta)) throw new SaidaRecusada('redirect refused')
    return toResponse(resposta, { maximoBytes, signal })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new TypeError('fetch failed', { cause: error })
  }
}

function desvia(resposta: IncomingMessage): boolean {
  const { statusCode = 0 } = resposta
  if (statusCode < 300 || statusCode >= 400 || statusCode === 304) return false
  resposta.destroy()
  return true
}

function tamanhoDe(metodo: string, corpo: Buffer): Record<string, string> {
  return corpo.length === 0 && metodo === 'GET' ? {} : { 'content-length': String(corpo.length) }
}

function responder(pedido: ClientRequest, corpo: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    pedido.once('response', resolve)
    pedido.on('error', reject)
    pedido.end(corpo)
  })
}

function toResponse(chegada: IncomingMessage, limites: { maximoBytes: number; signal: AbortSignal }): Response {
  const headers = new Headers()
  for (const [nome, valores] of Object.entries(chegada.headersDistinct)) {
    for (const valor of valores ?? []) headers.append(nome, valor)
  }
  const { statusCode: status = 0, statusMessage: statusText = '' } = chegada
  const semCorpo = status === 204 || status === 205 || status === 304
  if (semCorpo) chegada.resume()
  const corpo = semCorpo ? null : toStream(ateOLimite(chegada, limites))
  return new Response(corpo, { status, statusText, headers })
}

function toStream(partes: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controle) => {
      const { done, value } = await partes.next()
      if (done === true) controle.close()
      else controle.enqueue(value)
    },
    cancel: async () => {
      await partes.return(undefined)
    },
  })
}

/** Yields the bytes up to the limit. Stopping the read closes the connection. */
async function* ateOLimite(
  chegada: IncomingMessage,
  { maximoBytes, signal }: { maximoBytes: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const parte of chegada) {
      const pedaco: unknown = parte
      if (!(pedaco instanceof Uint8Array)) continue
      bytes += pedaco.length
      if (bytes > maximoBytes) throw new Error('the answer exceeds the limit')
      yield pedaco
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    chegada.destroy()
  }
}
