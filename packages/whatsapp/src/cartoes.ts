import type { proto } from 'baileys'

/** Text of a card; null if the message is none. */
export function lerCartao(mensagem: proto.IMessage): string | null {
  return (
    enquete(mensagem.pollCreationMessage ?? mensagem.pollCreationMessageV2 ?? mensagem.pollCreationMessageV3) ??
    enquete(mensagem.pollCreationMessageV5) ??
    pedido(mensagem.orderMessage) ??
    comercio(mensagem) ??
    convite(mensagem) ??
    deEmpresa(mensagem)
  )
}

type Talvez<T> = T | null | undefined

function enquete(mensagem: Talvez<proto.Message.IPollCreationMessage>): string | null {
  if (!mensagem) return null
  const opcoes = (mensagem.options ?? []).map(({ optionName }) => `• ${optionName ?? ''}`)
  return linhas([`Enquete: ${mensagem.name ?? ''}`, ...opcoes])
}

function pedido(mensagem: Talvez<proto.Message.IOrderMessage>): string | null {
  if (!mensagem) return null
  const { itemCount: itens, message, orderTitle, totalAmount1000: total, totalCurrencyCode: moeda } = mensagem
  const partes = [
    itens ? `${itens} ${itens === 1 ? 'item' : 'itens'}` : '',
    total && moeda === 'BRL' ? REAIS.format(Number(total) / 1000) : '',
  ].filter((parte) => parte !== '')
  return linhas(['Pedido pelo catálogo do WhatsApp', orderTitle, partes.join(' · '), message])
}
const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

function comercio({ productMessage, sendPaymentMessage, requestPaymentMessage }: proto.IMessage): string | null {
  if (productMessage) {
    const { product, body } = productMessage
    return linhas([`Produto do catálogo: ${product?.title ?? ''}`, product?.description, body])
  }
  const pagamento = sendPaymentMessage ?? requestPaymentMessage
  if (!pagamento) return null
  const { conversation, extendedTextMessage } = pagamento.noteMessage ?? {}
  return linhas([
    sendPaymentMessage ? 'Pagamento pelo WhatsApp' : 'Cobrança pelo WhatsApp',
    conversation,
    extendedTextMessage?.text,
  ])
}

function convite({ groupInviteMessage, eventMessage, stickerPackMessage }: proto.IMessage): string | null {
  if (groupInviteMessage) {
    return linhas([`Convite para o grupo ${groupInviteMessage.groupName ?? ''}`, groupInviteMessage.caption])
  }
  if (eventMessage) {
    const { name, description, isCanceled, joinLink } = eventMessage
    return linhas([`${isCanceled === true ? 'Evento cancelado' : 'Evento'}: ${name ?? ''}`, description, joinLink])
  }
  return stickerPackMessage ? linhas([`Pacote de figurinhas: ${stickerPackMessage.name ?? ''}`]) : null
}

function deEmpresa(mensagem: proto.IMessage): string | null {
  const { templateMessage, interactiveMessage, listMessage, buttonsMessage, highlyStructuredMessage: hsm } = mensagem
  const modelo = templateMessage?.hydratedTemplate ?? templateMessage?.hydratedFourRowTemplate
  const interativa = interactiveMessage ?? templateMessage?.interactiveMessageTemplate
  const textos = [
    ...[modelo?.hydratedTitleText, modelo?.hydratedContentText, modelo?.hydratedFooterText],
    ...[interativa?.header?.title, interativa?.body?.text, interativa?.footer?.text],
    ...[listMessage?.title, listMessage?.description, listMessage?.footerText],
    ...[buttonsMessage?.text, buttonsMessage?.contentText, buttonsMessage?.footerText],
    hsm?.hydratedHsm?.hydratedTemplate?.hydratedContentText,
  ]
  return linhas(textos) || null
}

const linhas = (textos: readonly Talvez<string>[]): string =>
  textos
    .map((texto) => texto?.trim() ?? '')
    .filter((texto) => texto !== '')
    .join('\n')
