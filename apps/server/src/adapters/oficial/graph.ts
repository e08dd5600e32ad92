import { createSaida, type Saida } from '#adapters/saida/saida.ts'
import { FalhaMeta, falhaDe } from './falhas.ts'

const GRAPH_URL = 'https://graph.facebook.com'
/** Meta supports each version for two years. */
const VERSAO = 'v24.0'
/** Hosts of Meta's files. Downloads carry the token, so no other host is allowed. */
const DE_ARQUIVOS: ReadonlySet<string> = new Set(['lookaside.fbsbx.com'])
/** Hard limit of a response; each reader has its own lower limit. */
const RESPOSTA_MAXIMA_BYTES = 8 * 1024 * 1024
const JSON_MAXIMO_BYTES = 2 * 1024 * 1024
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

export interface Pedido {
  readonly metodo: 'GET' | 'POST' | 'DELETE'
  readonly caminho: string
  readonly token: string
  readonly corpo?: object | FormData
  readonly prazoMs: number
  readonly desistencia?: AbortSignal
}

/** Meta's Graph API over HTTP: no redirects, with a timeout and a size limit. Every error is a `FalhaMeta`. */
export interface Graph {
  readonly pedir: (pedido: Pedido) => Promise<unknown>
  readonly baixar: (
    url: string,
    busca: Omit<Pedido, 'caminho' | 'metodo' | 'corpo'> & { maximo: number },
  ) => Promise<Buffer>
}

/** `baseUrl` has no version and comes only from the environment. Throws when it would send tokens unencrypted. */
export function createGraph(baseUrl: string = GRAPH_URL): Graph {
  const base = new URL(baseUrl)
  if (base.protocol !== 'https:' && !(base.protocol === 'http:' && LOOPBACK.has(base.hostname))) {
    throw new Error('WHATSAPP_CLOUD_BASE_URL must be https or a loopback address')
  }
  const saida = createSaida({
    doPrograma: [...(baseUrl === GRAPH_URL ? [GRAPH_URL] : []), ...[...DE_ARQUIVOS].map((host) => `https://${host}`)],
    doAmbiente: baseUrl === GRAPH_URL ? [] : [baseUrl],
    maximoBytes: RESPOSTA_MAXIMA_BYTES,
  })
  const raiz = `${baseUrl.replace(/\/+$/, '')}/${VERSAO}`

  return {
    pedir: async ({ metodo, caminho, token, corpo, prazoMs, desistencia }) => {
      const json = corpo === undefined || corpo instanceof FormData ? {} : { 'content-type': 'application/json' }
      const { resposta, bytes } = await buscar(saida, `${raiz}/${caminho}`, {
        ...{ metodo, prazoMs, desistencia, maximo: JSON_MAXIMO_BYTES },
        headers: { authorization: `Bearer ${token}`, ...json },
        ...(corpo === undefined ? {} : { body: corpo instanceof FormData ? corpo : JSON.stringify(corpo) }),
      })
      const lido = lerJson(bytes)
      if (!resposta.ok) {
        throw falhaDe({ status: resposta.status, corpo: lido, retryAfter: resposta.headers.get('retry-after') })
      }
      if (lido === undefined) throw new FalhaMeta('incerta', 'a resposta não se entende')
      return lido
    },
    baixar: async (url, { token, prazoMs, desistencia, maximo }) => {
      if (!eDaMeta(url, base)) throw new FalhaMeta('recusada', 'o arquivo não está em um servidor da Meta')
      const headers = { authorization: `Bearer ${token}` }
      const { resposta, bytes } = await buscar(saida, url, { metodo: 'GET', headers, prazoMs, desistencia, maximo })
      if (!resposta.ok) throw falhaDe({ status: resposta.status, corpo: undefined, retryAfter: null })
      return bytes
    },
  }
}

function eDaMeta(endereco: string, base: URL): boolean {
  const url = URL.parse(endereco)
  if (url === null) return false
  return url.origin === base.origin || (url.protocol === 'https:' && url.port === '' && DE_ARQUIVOS.has(url.hostname))
}

interface Busca {
  readonly metodo: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData
  readonly prazoMs: number
  readonly desistencia?: AbortSignal | undefined
  readonly maximo: number
}

async function buscar(
  saida: Saida,
  url: string,
  busca: Busca,
): Promise<{ readonly resposta: Response; readonly bytes: Buffer }> {
  const { metodo, headers, body, prazoMs, desistencia, maximo } = busca
  const prazo = AbortSignal.timeout(prazoMs)
  const signal = desistencia === undefined ? prazo : AbortSignal.any([prazo, desistencia])
  try {
    const init = { method: metodo, headers, signal }
    const resposta = await saida(url, body === undefined ? init : { ...init, body })
    return { resposta, bytes: await lerTudo(resposta, maximo) }
  } catch (error) {
    throw error instanceof FalhaMeta ? error : falhaDaRede(error)
  }
}

async function lerTudo(resposta: Response, maximo: number): Promise<Buffer> {
  const partes: Uint8Array[] = []
  let bytes = 0
  for await (const parte of resposta.body ?? []) {
    bytes += parte.length
    if (bytes > maximo) throw new FalhaMeta('recusada', 'a resposta é grande demais')
    partes.push(parte)
  }
  return Buffer.concat(partes)
}

const NUNCA_CHEGOU: ReadonlySet<string> = new Set([
  ...(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'SAIDA_RECUSADA'] as const),
])

/** A connection that was never opened sent nothing; a broken one may have sent the request. */
function falhaDaRede(error: unknown): FalhaMeta {
  const causa = error instanceof Error ? error.cause : undefined
  const codigo = causa instanceof Error && 'code' in causa ? String(causa.code) : ''
  const nome = error instanceof Error ? error.name : ''
  return new FalhaMeta(NUNCA_CHEGOU.has(codigo) ? 'rede' : 'incerta', codigo || nome || 'sem resposta')
}

function lerJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
