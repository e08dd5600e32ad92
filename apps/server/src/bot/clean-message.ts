import type { InboundMessage } from '@balcao/connector/port'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { cleanServiceText, TEXT_MAX } from '#lib/text.ts'
import { QUOTE_MAX } from '#modules/mensagens/index.ts'

/** PostgreSQL rejects NUL and lone surrogates, and one bad message must not fail a whole batch. */
export function cleanMessage(message: InboundMessage): InboundMessage {
  const { outrosEnderecos, midia, citada, nomeUsuario } = message
  return {
    ...message,
    id: cleanServiceText(message.id, 300),
    endereco: cleanServiceText(message.endereco, 300),
    nome: cleanServiceText(message.nome, 120),
    telefone: cleanServiceText(message.telefone, 30),
    texto: cleanServiceText(message.texto, TEXT_MAX),
    ...(nomeUsuario === undefined ? {} : { nomeUsuario: cleanServiceText(nomeUsuario, 60) }),
    ...(outrosEnderecos === undefined
      ? {}
      : { outrosEnderecos: outrosEnderecos.map((other) => cleanServiceText(other, 300)) }),
    ...(midia === undefined ? {} : { midia: cleanMidia(midia) }),
    ...(citada === undefined ? {} : { citada: { ...citada, texto: cleanServiceText(citada.texto, QUOTE_MAX) } }),
  }
}

function cleanMidia({ nomeArquivo, mimeType, ...rest }: Midia): Midia {
  return {
    ...rest,
    ...(nomeArquivo === undefined ? {} : { nomeArquivo: cleanServiceText(nomeArquivo, 300) }),
    ...(mimeType === undefined ? {} : { mimeType: cleanServiceText(mimeType, 200) }),
  }
}
