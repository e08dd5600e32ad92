import { setTimeout as dormir } from 'node:timers/promises'
import { MEDIA_PATH_MAP } from 'baileys'
import type { TipoRemoto } from './cifra-de-midia.ts'

const OFICIAL = 'https://mmg.whatsapp.net'
const DO_SERVICO = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.whatsapp\.net$/
const PRAZO_MS = 20_000
/** Ciphertext is longer than the file by at most this many bytes. */
const FOLGA = 64

export interface LugarDeEnvio {
  readonly hostname: string
  readonly auth: string
}

/**
 * WhatsApp's file servers. The caller gives a path and never a host, so a customer cannot choose the address that
 * we fetch.
 */
export interface Armazem {
  readonly buscar: (caminho: string, maximoBytes: number) => Promise<Buffer>
  readonly guardar: (corpo: Buffer, tipo: TipoRemoto, opcoes: { token: string; lugar: LugarDeEnvio }) => Promise<string>
}

export type Buscar = (url: URL, init: RequestInit) => Promise<Response>

/**
 * `base` replaces WhatsApp's servers in tests; the caller has checked that it is on this machine. `buscar` replaces
 * `fetch`.
 */
export function createArmazem(base?: string, buscar: Buscar = fetch): Armazem {
  return {
    buscar: async (caminho, maximoBytes) => {
      const url = dentroDe(base ?? OFICIAL, caminho)
      const resposta = await insistir(() => buscar(url, { redirect: 'error', signal: AbortSignal.timeout(PRAZO_MS) }))
      if (!resposta.ok || resposta.body === null) throw new Error(`file not available (${resposta.status})`)
      return lerAte(resposta.body, maximoBytes + FOLGA)
    },
    guardar: async (corpo, tipo, { token, lugar }) => {
      if (base === undefined && !DO_SERVICO.test(lugar.hostname)) throw new Error('not a host of WhatsApp')
      const seguro = encodeURIComponent(token)
      const consulta = `auth=${encodeURIComponent(lugar.auth)}&token=${seguro}`
      const url = dentroDe(base ?? `https://${lugar.hostname}`, `${MEDIA_PATH_MAP[tipo] ?? ''}/${seguro}?${consulta}`)
      const headers = { origin: 'https://web.whatsapp.com', 'content-type': 'application/octet-stream' }
      const resposta = await buscar(url, {
        ...{ method: 'POST', body: new Uint8Array(corpo), headers, redirect: 'error' },
        signal: AbortSignal.timeout(PRAZO_MS),
      })
      if (!resposta.ok) throw new Error(`file not uploaded (${resposta.status})`)
      return lerCaminho(await resposta.json())
    },
  }
}

/** Retries failed downloads and overloaded servers (429, 5xx), because the server does not announce a file again. */
async function insistir(pedir: () => Promise<Response>): Promise<Response> {
  for (const espera of ESPERAS_MS) {
    const resposta = await pedir().catch(() => null)
    if (resposta !== null && resposta.status < 500 && resposta.status !== 429) return resposta
    await resposta?.body?.cancel()
    await dormir(espera, undefined, { ref: false })
  }
  return pedir()
}
const ESPERAS_MS = [500, 2_000]

function dentroDe(base: string, caminho: string): URL {
  const url = new URL(caminho, base)
  if (!caminho.startsWith('/') || url.origin !== new URL(base).origin) throw new Error('path leaves its host')
  return url
}

async function lerAte(corpo: ReadableStream<Uint8Array>, maximo: number): Promise<Buffer> {
  const pedacos: Uint8Array[] = []
  let total = 0
  for await (const pedaco of corpo) {
    total += pedaco.length
    // Leaving the loop cancels the download.
    if (total > maximo) throw new Error('file too big')
    pedacos.push(pedaco)
  }
  return Buffer.concat(pedacos)
}

function lerCaminho(resposta: unknown): string {
  if (typeof resposta === 'object' && resposta !== null && 'direct_path' in resposta) {
    const { direct_path: caminho } = resposta
    if (typeof caminho === 'string') return caminho
  }
  throw new Error('upload answer without a path')
}
