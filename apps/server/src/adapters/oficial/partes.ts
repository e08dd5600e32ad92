import type { Midia } from '@balcao/contract/entities/mensagem'
import { EnvioRecusado, type OutboundMessage, type SessionHost } from '#ports/messaging.ts'
import { fraseDe } from './frases.ts'
import { corpoDoModelo } from './modelos.ts'
import { comoEnviar, type TipoRemoto } from './midia.ts'

export type Parte =
  | { readonly tipo: 'pronta'; readonly corpo: object }
  | {
      readonly tipo: 'arquivo'
      readonly url: string
      readonly arquivo: ArquivoDaParte
      readonly corpo: (id: string) => object
    }

export interface ArquivoDaParte {
  readonly bytes: Uint8Array
  readonly mime: string
  readonly nome: string
}

/** Meta's limits per message, in characters. */
const TEXTO_MAXIMO = 4_096
const LEGENDA_MAXIMA = 1_024
const ARQUIVO_NAO_ACEITO = 131053
const SEM_ARQUIVO = 'O arquivo desta mensagem não existe mais. Envie-o de novo.'

/**
 * Splits a message into Meta's requests. A caption that is too long, or on audio, becomes a separate text. Throws
 * `EnvioRecusado` for a file type that Meta does not accept and when nothing is left to send.
 */
export async function dividir(
  { texto, midia, modelo, citada, reacao }: Pick<OutboundMessage, 'texto' | 'midia' | 'modelo' | 'citada' | 'reacao'>,
  lerMidia: SessionHost['lerMidia'],
): Promise<Parte[]> {
  if (reacao !== undefined) {
    const { alvo, emoji } = reacao
    return [{ tipo: 'pronta', corpo: { type: 'reaction', reaction: { message_id: alvo.id, emoji } } }]
  }
  const [primeira, ...outras] = await emPartes({ texto, modelo, midia }, lerMidia)
  if (primeira === undefined || citada === undefined) return primeira === undefined ? [] : [primeira, ...outras]
  return [comCitacao(primeira, citada.id), ...outras]
}

function comCitacao(parte: Parte, id: string): Parte {
  const context = { message_id: id }
  if (parte.tipo === 'pronta') return { ...parte, corpo: { ...parte.corpo, context } }
  return { ...parte, corpo: (arquivo) => ({ ...parte.corpo(arquivo), context }) }
}

async function emPartes(
  { texto, midia, modelo }: { [K in 'texto' | 'midia' | 'modelo']: OutboundMessage[K] | undefined } & { texto: string },
  lerMidia: SessionHost['lerMidia'],
): Promise<Parte[]> {
  if (modelo !== undefined) return [{ tipo: 'pronta', corpo: corpoDoModelo(modelo) }]
  const lida = midia?.url === undefined ? null : await lerMidia(midia.url)
  if (lida === null || midia?.url === undefined) {
    // Without file and text there is nothing to send, and the message must not count as sent.
    if (midia !== undefined && texto.trim() === '') throw new EnvioRecusado(SEM_ARQUIVO)
    return emTextos(texto)
  }
  const como = comoEnviar(lida.mimeType)
  if (como === null) throw new EnvioRecusado(fraseDe(ARQUIVO_NAO_ACEITO))
  const junto = como.tipo !== 'audio' && texto.length <= LEGENDA_MAXIMA
  const arquivo = { bytes: lida.bytes, mime: como.mime, nome: midia.nomeArquivo ?? 'arquivo' }
  const legenda = junto && texto !== '' ? { caption: texto } : {}
  const corpo = (id: string): object => ({
    type: como.tipo,
    [como.tipo]: { id, ...legenda, ...nomeDe(como.tipo, midia) },
  })
  return [{ tipo: 'arquivo', url: midia.url, arquivo, corpo }, ...(junto ? [] : emTextos(texto))]
}

const nomeDe = (tipo: TipoRemoto, { nomeArquivo }: Midia): object =>
  tipo === 'document' ? { filename: nomeArquivo ?? 'arquivo' } : {}

function emTextos(texto: string): Parte[] {
  const partes: Parte[] = []
  let resto = texto
  while (resto.trim() !== '') {
    const corte = resto.length <= TEXTO_MAXIMO ? resto.length : lugarDeCortar(resto)
    const corpo = { type: 'text', text: { body: resto.slice(0, corte), preview_url: /https?:\/\//.test(resto) } }
    partes.push({ tipo: 'pronta', corpo })
    resto = resto.slice(corte)
  }
  return partes
}

function lugarDeCortar(texto: string): number {
  const cabe = texto.slice(0, TEXTO_MAXIMO)
  const fim = Math.max(cabe.lastIndexOf('\n'), cabe.lastIndexOf(' ')) + 1
  return fim > TEXTO_MAXIMO / 2 ? fim : TEXTO_MAXIMO
}
