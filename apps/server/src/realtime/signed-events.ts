import type { Midia } from '@balcao/contract/entities/mensagem'
import type { ServerEvent } from '@balcao/contract/realtime'

type SignUrl = (url: string) => string

/** Signs the addresses of the files in an event, as the answers of the API do. */
export function withSignedFiles(event: ServerEvent, sign: SignUrl): ServerEvent {
  if (event.evento === 'botMensagem') return { ...event, dados: withSignedMidia(event.dados, sign) }
  if (event.evento === 'mensagemConversaHumana') {
    const { dados } = event
    return { ...event, dados: { ...dados, mensagem: withSignedMidia(dados.mensagem, sign) } }
  }
  if (event.evento !== 'novaConversaHumana') return event
  const { conversa } = event.dados
  const mensagens = conversa.mensagens.map((mensagem) => withSignedMidia(mensagem, sign))
  return { ...event, dados: { ...event.dados, conversa: { ...conversa, mensagens } } }
}

function withSignedMidia<M extends { readonly midia?: Midia | undefined }>(mensagem: M, sign: SignUrl): M {
  const { midia } = mensagem
  return midia?.url === undefined ? mensagem : { ...mensagem, midia: { ...midia, url: sign(midia.url) } }
}
