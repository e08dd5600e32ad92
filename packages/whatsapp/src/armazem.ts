import { setTimeout as dormir } from 'node:timers/promises'
import { MEDIA_PATH_MAP } from 'baileys'
import type { TipoRemoto } from './cifra-de-midia.ts'

const OFICIAL = 'https://mmg.whatsapp.net'
const DO_SERVICO = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.whatsapp\.net$/
const PRAZO_MS = 20_000
/** Ciphertext is a little longer than what it hides. */
const FOLGA = 64

export interface LugarDeEnvio {
  readonly hostname: string
  readonly auth: string
}

/** WhatsApp's servers of files. Sender and message name a path, never a host: a customer must not choose what we fetch. */
export interface Armazem {
  readonly buscar: (caminho: string, maximoBytes: number) => Promise<Buffer>
  /** Resolves with the path under which everybody finds it. */
  readonly guardar: (corpo: Buffer, tipo: TipoRemoto, opcoes: { token: string; lugar: LugarDeEnvio }) => Promise<string>
}

export type Buscar = (url: URL, init: RequestInit) => Promise<Response>

/** `base` is another server, for tests; whoever gives it has made sure that it is on this machine. `buscar` is the way out. */
export function createArmazem(base?: string, buscar: Buscar = fetch): Armazem {
  return {
    buscar: async (caminho, maximoBytes) => {
      const url = dentroDe(base ?? OFICIAL, caminho)
      const resposta = await insistir(() => buscar(url, { redirect: 'error', signal: AbortSignal.timeout(PRAZO_MS) }))
      if (!resposta.ok || resposta.body === null) throw new Error(`the file is not there (${resposta.status})`)
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
      if (!resposta.ok) throw new Error(`the file could not be uploaded (${resposta.status})`)
      return lerCaminho(await resposta.json())
    },
  }
}

/** A server that stumbles is asked again: of a file that is not fetched now nobody speaks again. */
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

/** Throws on a path that leads out of the host. */
function dentroDe(base: string, caminho: string): URL {
  const url = new URL(caminho, base)
  if (!caminho.startsWith('/') || url.origin !== new URL(base).origin) throw new Error('a path that leaves its host')
  return url
}

async function lerAte(corpo: ReadableStream<Uint8Array>, maximo: number): Promise<Buffer> {
  const pedacos: Uint8Array[] = []
  let total = 0
  for await (const pedaco of corpo) {
    total += pedaco.length
    // Leaving the loop cancels the download.
    if (total > maximo) throw new Error('the file is too big')
    pedacos.push(pedaco)
  }
  return Buffer.concat(pedacos)
}

function lerCaminho(resposta: unknown): string {
  if (typeof resposta === 'object' && resposta !== null && 'direct_path' in resposta) {
    const { direct_path: caminho } = resposta
    if (typeof caminho === 'string') return caminho
  }
  throw new Error('the file server did not say where the file is')
}
