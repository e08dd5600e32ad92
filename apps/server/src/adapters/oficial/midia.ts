import { createHash } from 'node:crypto'
import { setTimeout as dormir } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { NumeroOficial } from '#ports/oficial.ts'
import type { ArquivoRemoto } from './conteudo.ts'
import { FalhaMeta, type TipoFalha } from './falhas.ts'
import type { Graph } from './graph.ts'

const MAXIMO_BYTES = 5 * 1024 * 1024
const PRAZO_MS = 15_000

const enderecoSchema = z.object({
  url: z.string(),
  file_size: z.optional(z.coerce.number()),
  sha256: z.optional(z.string()),
})
const guardadoSchema = z.object({ id: z.string() })

/**
 * Downloads a contato's file and retries transient errors, because no caller does. Throws when it is too large,
 * deleted or does not match its checksum.
 */
export async function baixarArquivo(
  graph: Graph,
  numero: NumeroOficial,
  arquivo: Pick<ArquivoRemoto, 'id'>,
): Promise<Buffer> {
  for (const espera of ESPERAS_MS) {
    try {
      return await baixar(graph, numero, arquivo)
    } catch (error) {
      if (!(error instanceof FalhaMeta) || !PASSAGEIRAS.has(error.tipo)) throw error
      await dormir(espera, undefined, { ref: false })
    }
  }
  return baixar(graph, numero, arquivo)
}
const ESPERAS_MS = [500, 2_000]
const PASSAGEIRAS: ReadonlySet<TipoFalha> = new Set(['incerta', 'rede', 'instavel', 'devagar'])

async function baixar(
  graph: Graph,
  { telefoneId, token }: NumeroOficial,
  { id }: Pick<ArquivoRemoto, 'id'>,
): Promise<Buffer> {
  const caminho = `${encodeURIComponent(id)}?phone_number_id=${telefoneId}`
  const lido = await graph.pedir({ metodo: 'GET', caminho, token, prazoMs: PRAZO_MS })
  const { url, file_size: tamanho = 0, sha256 } = enderecoSchema.parse(lido)
  if (tamanho > MAXIMO_BYTES) throw new FalhaMeta('recusada', 'o arquivo é grande demais')
  const bytes = await graph.baixar(url, { token, prazoMs: PRAZO_MS, maximo: MAXIMO_BYTES })
  const resumo = createHash('sha256').update(bytes).digest()
  // Webhooks give the checksum in base64, the API in hex.
  if (sha256 !== undefined && ![resumo.toString('hex'), resumo.toString('base64')].includes(sha256)) {
    throw new FalhaMeta('recusada', 'o arquivo chegou diferente')
  }
  return bytes
}

export type TipoRemoto = 'image' | 'audio' | 'document'

/** Meta's type for a file of this MIME type; null when Meta does not accept it. */
export function comoEnviar(mimeType: string): { readonly tipo: TipoRemoto; readonly mime: string } | null {
  const [mime = ''] = mimeType.split(';')
  if (mime === 'image/jpeg' || mime === 'image/png') return { tipo: 'image', mime }
  if (mime === 'audio/ogg') return { tipo: 'audio', mime: 'audio/ogg; codecs=opus' }
  if (mime === 'audio/mp4' || mime === 'audio/mpeg') return { tipo: 'audio', mime }
  if (mime === 'text/csv') return { tipo: 'document', mime: 'text/plain' }
  return /^(application|text)\//.test(mime) ? { tipo: 'document', mime } : null
}

/** Uploads a file and returns its id at Meta. Repeating the upload is harmless. */
export async function guardarNaMeta(
  graph: Graph,
  { telefoneId, token }: NumeroOficial,
  arquivo: { readonly bytes: Uint8Array; readonly mime: string; readonly nome: string },
): Promise<string> {
  const corpo = new FormData()
  corpo.set('messaging_product', 'whatsapp')
  corpo.set('type', arquivo.mime)
  corpo.set('file', new Blob([Uint8Array.from(arquivo.bytes)], { type: arquivo.mime }), arquivo.nome)
  const lido = await graph.pedir({ metodo: 'POST', caminho: `${telefoneId}/media`, token, corpo, prazoMs: PRAZO_MS })
  return guardadoSchema.parse(lido).id
}
