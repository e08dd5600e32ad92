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

function pollText(message: Nullish<proto.Message.IPollCreationMessage>): string | null {
  if (!message) return null
  const options = (message.options ?? []).map(({ optionName }) => `• ${optionName ?? ''}`)
  return joinLines([`Enquete: ${message.name ?? ''}`, ...options])
}

function orderText(order: Nullish<proto.Message.IOrderMessage>): string | null {
  if (!order) return null
  const { itemCount: items, message, orderTitle, totalAmount1000: total, totalCurrencyCode: currency } = order
  const parts = [
    items ? `${items} ${items === 1 ? 'item' : 'itens'}` : '',
    total && currency === 'BRL' ? BRL_FORMAT.format(Number(total) / 1000) : '',
  ].filter((part) => part !== '')
  return joinLines(['Pedido pelo catálogo do WhatsApp', orderTitle, parts.join(' · '), message])
}
const BRL_FORMAT = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

function commerceText({ productMessage, sendPaymentMessage, requestPaymentMessage }: proto.IMessage): string | null {
  if (productMessage) {
    const { product, body } = productMessage
    return joinLines([`Produto do catálogo: ${product?.title ?? ''}`, product?.description, body])
  }
  const payment = sendPaymentMessage ?? requestPaymentMessage
  if (!payment) return null
  const { conversation, extendedTextMessage } = payment.noteMessage ?? {}
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

function businessText(message: proto.IMessage): string | null {
  return joinLines([...templateTexts(message), ...interactiveTexts(message), ...listTexts(message)]) || null
}

function templateTexts({ templateMessage }: proto.IMessage): Nullish<string>[] {
  const template = templateMessage?.hydratedTemplate ?? templateMessage?.hydratedFourRowTemplate
  return [template?.hydratedTitleText, template?.hydratedContentText, template?.hydratedFooterText]
}

function interactiveTexts({ interactiveMessage, templateMessage }: proto.IMessage): Nullish<string>[] {
  const interactive = interactiveMessage ?? templateMessage?.interactiveMessageTemplate
  return [interactive?.header?.title, interactive?.body?.text, interactive?.footer?.text]
}

function listTexts({ listMessage, buttonsMessage, highlyStructuredMessage: hsm }: proto.IMessage): Nullish<string>[] {
  return [
    ...[listMessage?.title, listMessage?.description, listMessage?.footerText],
    ...[buttonsMessage?.text, buttonsMessage?.contentText, buttonsMessage?.footerText],
    hsm?.hydratedHsm?.hydratedTemplate?.hydratedContentText,
  ]
}

const joinLines = (texts: readonly Nullish<string>[]): string =>
  texts
    .map((text) => text?.trim() ?? '')
    .filter((text) => text !== '')
    .join('\n')
