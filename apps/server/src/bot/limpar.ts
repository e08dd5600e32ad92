import type { Midia } from '@balcao/contract/entities/mensagem'
import type { InboundMessage } from '#ports/messaging.ts'
import { CITACAO_MAXIMA } from './citadas.ts'

export const TEXTO_MAXIMO = 65_536

/**
 * Removes NUL and lone surrogates, which PostgreSQL rejects, and limits the lengths. One bad message must not fail
 * a whole batch.
 */
export function limpar(mensagem: InboundMessage): InboundMessage {
  return {
    ...mensagem,
    id: texto(mensagem.id, 300),
    endereco: texto(mensagem.endereco, 300),
    nome: texto(mensagem.nome, 120),
    telefone: texto(mensagem.telefone, 30),
    texto: texto(mensagem.texto, TEXTO_MAXIMO),
    ...(mensagem.outrosEnderecos === undefined
      ? {}
      : { outrosEnderecos: mensagem.outrosEnderecos.map((outro) => texto(outro, 300)) }),
    ...(mensagem.midia === undefined ? {} : { midia: midiaLimpa(mensagem.midia) }),
    ...(mensagem.citada === undefined
      ? {}
      : { citada: { ...mensagem.citada, texto: texto(mensagem.citada.texto, CITACAO_MAXIMA) } }),
  }
}

function midiaLimpa({ nomeArquivo, mimeType, ...resto }: Midia): Midia {
  return {
    ...resto,
    ...(nomeArquivo === undefined ? {} : { nomeArquivo: texto(nomeArquivo, 300) }),
    ...(mimeType === undefined ? {} : { mimeType: texto(mimeType, 200) }),
  }
}

/** Cuts text of a service at `maximo` UTF-16 units. */
export function texto(valor: string, maximo: number): string {
  return valor.replaceAll('\0', '').slice(0, maximo).toWellFormed()
}
