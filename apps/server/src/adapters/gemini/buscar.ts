import type { Saida } from '#adapters/saida/saida.ts'
import { FalhaIa, motivoDoFim } from './falhas.ts'

const RESPOSTA_MAXIMA_BYTES = 1_048_576
/** A longer wait before the retry would use up the time for the answer. */
const ESPERA_MAXIMA_MS = 3_000

export interface BuscaOptions {
  readonly saida: Saida
  readonly sinal: AbortSignal
  readonly recuoMs: number
}

/**
 * A `fetch` for one question: no redirects, at most 1 MB per response, and one retry with jitter on 429, 5xx or a
 * connection error. Throws `FalhaIa`.
 */
export function criarBusca({ saida, sinal, recuoMs }: BuscaOptions): typeof globalThis.fetch {
  let restaUma = true
  return async (url, init) => {
    for (;;) {
      const resposta = await umaVez(
        () => saida(enderecoDe(url), { ...init, signal: sinal, redirect: 'manual' }),
        sinal,
        restaUma,
      )
      const esperaMs = restaUma && vale(resposta) ? esperaDe(resposta, recuoMs) : null
      if (resposta !== null && esperaMs === null) return limitar(resposta)
      restaUma = false
      await resposta?.body?.cancel()
      await esperar(esperaMs ?? recuoMs, sinal)
    }
  }
}

async function umaVez(
  pedir: () => Promise<Response>,
  sinal: AbortSignal,
  podeRepetir: boolean,
): Promise<Response | null> {
  try {
    return await pedir()
  } catch (error) {
    if (sinal.aborted) throw error
    if (podeRepetir) return null
    const causa = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new FalhaIa('rede', causa)
  }
}

const enderecoDe = (url: Parameters<typeof globalThis.fetch>[0]): string =>
  url instanceof Request ? url.url : String(url)

const vale = (resposta: Response | null): boolean =>
  resposta === null || resposta.status === 429 || resposta.status >= 500

/** Milliseconds before the retry; null when `retry-after` exceeds the maximum wait. */
function esperaDe(resposta: Response | null, recuoMs: number): number | null {
  const pedido = Number(resposta?.headers.get('retry-after') ?? 0) * 1000
  if (pedido > ESPERA_MAXIMA_MS) return null
  return Math.max(Number.isFinite(pedido) ? pedido : 0, recuoMs * (0.5 + Math.random()))
}

function esperar(ms: number, sinal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const desistir = (): void => {
      clearTimeout(timer)
      reject(motivoDoFim(sinal))
    }
    const timer = setTimeout(() => {
      sinal.removeEventListener('abort', desistir)
      resolve()
    }, ms)
    if (sinal.aborted) desistir()
    else sinal.addEventListener('abort', desistir, { once: true })
  })
}

async function limitar(resposta: Response): Promise<Response> {
  const { status, headers } = resposta
  if (status >= 300 && status < 400) {
    await resposta.body?.cancel()
    throw new FalhaIa('redirecionou', String(status))
  }
  const partes: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const parte of resposta.body ?? []) {
    bytes += parte.length
    if (bytes > RESPOSTA_MAXIMA_BYTES) throw new FalhaIa('grande')
    partes.push(parte)
  }
  const tipo = headers.get('content-type') ?? 'application/json'
  return new Response(bytes === 0 ? null : new Blob(partes), {
    status,
    headers: { 'content-type': tipo },
  })
}
