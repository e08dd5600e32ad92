import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { ServerEvent } from '@balcao/contract/realtime'

type SignUrl = (url: string) => string

/** An event of another kind may carry files. The compiler requires a case for it. */
type EventWithoutFiles = Exclude<ServerEvent, { dados: { conversa: object } | { mensagem: object } }>

/** Signs the addresses of the files in an event, as the answers of the API do. */
export function withSignedFiles(event: ServerEvent, sign: SignUrl): ServerEvent {
  if (event.evento === 'botMensagem') return { ...event, dados: withSignedMidia(event.dados, sign) }
  if (event.evento === 'mensagemConversaHumana') {
    const { dados } = event
    return { ...event, dados: { ...dados, mensagem: withSignedMidia(dados.mensagem, sign) } }
  }
  if (event.evento === 'novaConversaHumana') {
    return { ...event, dados: { ...event.dados, conversa: withSignedMensagens(event.dados.conversa, sign) } }
  }
  if (event.evento === 'conversaReaberta') {
    return { ...event, dados: { ...event.dados, conversa: withSignedMensagens(event.dados.conversa, sign) } }
  }
  const other: EventWithoutFiles = event
  return other
}

function withSignedMensagens(conversa: Conversa, sign: SignUrl): Conversa {
  return { ...conversa, mensagens: conversa.mensagens.map((mensagem) => withSignedMidia(mensagem, sign)) }
}

function withSignedMidia<M extends { readonly midia?: Midia | undefined }>(mensagem: M, sign: SignUrl): M {
  const { midia } = mensagem
  return midia?.url === undefined ? mensagem : { ...mensagem, midia: { ...midia, url: sign(midia.url) } }
}
