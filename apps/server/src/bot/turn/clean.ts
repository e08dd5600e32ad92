import type { Midia } from '@balcao/contract/entities/mensagem'
import { cleanServiceText, TEXT_MAX } from '#lib/text.ts'
import type { InboundMessage } from '@balcao/connector/port'
import { QUOTE_MAX } from '#modules/conversas/index.ts'

export function cleanMessage(message: InboundMessage): InboundMessage {
  return {
    ...message,
    id: cleanServiceText(message.id, 300),
    endereco: cleanServiceText(message.endereco, 300),
    nome: cleanServiceText(message.nome, 120),
    telefone: cleanServiceText(message.telefone, 30),
    texto: cleanServiceText(message.texto, TEXT_MAX),
    ...(message.outrosEnderecos === undefined
      ? {}
      : { outrosEnderecos: message.outrosEnderecos.map((other) => cleanServiceText(other, 300)) }),
    ...(message.midia === undefined ? {} : { midia: cleanMidia(message.midia) }),
    ...(message.citada === undefined
      ? {}
      : { citada: { ...message.citada, texto: cleanServiceText(message.citada.texto, QUOTE_MAX) } }),
  }
}

function cleanMidia({ nomeArquivo, mimeType, ...rest }: Midia): Midia {
  return {
    ...rest,
    ...(nomeArquivo === undefined ? {} : { nomeArquivo: cleanServiceText(nomeArquivo, 300) }),
    ...(mimeType === undefined ? {} : { mimeType: cleanServiceText(mimeType, 200) }),
  }
}
