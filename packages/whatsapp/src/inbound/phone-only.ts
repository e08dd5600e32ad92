import type { proto } from 'baileys'

export const NOT_SHOWN_TEXT = 'Mensagem que não aparece aqui. Abra o WhatsApp no celular para ver.'
export const VIEW_ONCE_TEXT = 'Mensagem de visualização única. Abra o WhatsApp no celular para ver.'
export const EDITED_TEXT = 'Mensagem editada. Abra o WhatsApp no celular para ver.'
export const NOT_ARRIVED_TEXT = 'Chegou uma mensagem que não pôde ser aberta aqui. Abra o WhatsApp no celular para ler.'

/** Types without text of a person: keys, settings, votes, marks, parts of other messages. */
const SILENT_TYPES: ReadonlySet<string> = new Set<keyof proto.IMessage>([
  ...(['senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage', 'messageContextInfo'] as const),
  ...(['protocolMessage', 'reactionMessage', 'encReactionMessage', 'keepInChatMessage', 'pinInChatMessage'] as const),
  ...(['pollUpdateMessage', 'encEventResponseMessage', 'encCommentMessage', 'secretEncryptedMessage'] as const),
  ...(['albumMessage', 'eventCoverImage', 'pollCreationOptionImageMessage', 'stickerSyncRmrMessage'] as const),
  ...(['call', 'chat', 'callLogMesssage', 'scheduledCallEditMessage', 'deviceSentMessage'] as const),
  ...(['declinePaymentRequestMessage', 'cancelPaymentRequestMessage', 'limitSharingMessage'] as const),
  ...(['messageHistoryBundle', 'messageHistoryNotice', 'botTaskMessage', 'statusNotificationMessage'] as const),
  ...(['statusMentionMessage', 'groupStatusMentionMessage', 'statusAddYours', 'statusQuotedMessage'] as const),
  ...(['statusQuestionAnswerMessage', 'statusStickerInteractionMessage'] as const),
])

export function hasContent(message: proto.IMessage): boolean {
  return Object.entries(message).some(([tipo, value]) => Boolean(value) && !SILENT_TYPES.has(tipo))
}
