import type { proto } from 'baileys'

/** What this side cannot show, said so that whoever reads it knows where to look. */

export const NAO_APARECE = 'Mensagem que não aparece aqui. Abra o WhatsApp no celular para ver.'
export const UMA_VEZ = 'Mensagem de visualização única. Abra o WhatsApp no celular para ver.'
export const EDITADA = 'Mensagem editada. Abra o WhatsApp no celular para ver.'
export const NAO_CHEGOU = 'Chegou uma mensagem que não pôde ser aberta aqui. Abra o WhatsApp no celular para ler.'

/** Nobody's words: keys, settings, votes, marks, what belongs to another message. */
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

/** Whether somebody says something in it, of a kind that we do not know. */
export function temAlgo(mensagem: proto.IMessage): boolean {
  return Object.entries(mensagem).some(([tipo, valor]) => Boolean(valor) && !SILENCIOSAS.has(tipo))
}
