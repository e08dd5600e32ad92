import type { proto } from 'baileys'

export const NAO_APARECE = 'Mensagem que não aparece aqui. Abra o WhatsApp no celular para ver.'
export const UMA_VEZ = 'Mensagem de visualização única. Abra o WhatsApp no celular para ver.'
export const EDITADA = 'Mensagem editada. Abra o WhatsApp no celular para ver.'
export const NAO_CHEGOU = 'Chegou uma mensagem que não pôde ser aberta aqui. Abra o WhatsApp no celular para ler.'

/** Types without text of a person: keys, settings, votes, marks, parts of other messages. */
const SILENCIOSAS: ReadonlySet<string> = new Set<keyof proto.IMessage>([
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

export function temAlgo(mensagem: proto.IMessage): boolean {
  return Object.entries(mensagem).some(([tipo, valor]) => Boolean(valor) && !SILENCIOSAS.has(tipo))
}
