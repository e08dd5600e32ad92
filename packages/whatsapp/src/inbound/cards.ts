import type { proto } from 'baileys'

/** Text of a card; null if the message is none. */
export function readCard(message: proto.IMessage): string | null {
  return (
    pollText(message.pollCreationMessage ?? message.pollCreationMessageV2 ?? message.pollCreationMessageV3) ??
    pollText(message.pollCreationMessageV5) ??
    orderText(message.orderMessage) ??
    commerceText(message) ??
    invitationText(message) ??
    businessText(message)
  )
}

type Nullish<T> = T | null | undefined

function pollText(mensagem: Nullish<proto.Message.IPollCreationMessage>): string | null {
  if (!mensagem) return null
  const opcoes = (mensagem.options ?? []).map(({ optionName }) => `• ${optionName ?? ''}`)
  return joinLines([`Enquete: ${mensagem.name ?? ''}`, ...opcoes])
}

function orderText(mensagem: Nullish<proto.Message.IOrderMessage>): string | null {
  if (!mensagem) return null
  const { itemCount: items, message, orderTitle, totalAmount1000: total, totalCurrencyCode: moeda } = mensagem
  const parts = [
    items ? `${items} ${items === 1 ? 'item' : 'itens'}` : '',
    total && moeda === 'BRL' ? BRL_FORMAT.format(Number(total) / 1000) : '',
  ].filter((part) => part !== '')
  return joinLines(['Pedido pelo catálogo do WhatsApp', orderTitle, parts.join(' · '), message])
}
const BRL_FORMAT = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

function commerceText({ productMessage, sendPaymentMessage, requestPaymentMessage }: proto.IMessage): string | null {
  if (productMessage) {
    const { product, body } = productMessage
    return joinLines([`Produto do catálogo: ${product?.title ?? ''}`, product?.description, body])
  }
  const pagamento = sendPaymentMessage ?? requestPaymentMessage
  if (!pagamento) return null
  const { conversation, extendedTextMessage } = pagamento.noteMessage ?? {}
  return joinLines([
    sendPaymentMessage ? 'Pagamento pelo WhatsApp' : 'Cobrança pelo WhatsApp',
    conversation,
    extendedTextMessage?.text,
  ])
}

function invitationText({ groupInviteMessage, eventMessage, stickerPackMessage }: proto.IMessage): string | null {
  if (groupInviteMessage) {
    return joinLines([`Convite para o grupo ${groupInviteMessage.groupName ?? ''}`, groupInviteMessage.caption])
  }
  if (eventMessage) {
    const { name, description, isCanceled, joinLink } = eventMessage
    return joinLines([`${isCanceled === true ? 'Evento cancelado' : 'Evento'}: ${name ?? ''}`, description, joinLink])
  }
  return stickerPackMessage ? joinLines([`Pacote de figurinhas: ${stickerPackMessage.name ?? ''}`]) : null
}

function businessText(mensagem: proto.IMessage): string | null {
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
  return joinLines(textos) || null
}

const joinLines = (texts: readonly Nullish<string>[]): string =>
  texts
    .map((texto) => texto?.trim() ?? '')
    .filter((texto) => texto !== '')
    .join('\n')
