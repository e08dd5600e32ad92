import { normalizeMessageContent, type proto } from 'baileys'

const MAX_LAYERS = 5

/** Removes WhatsApp's wrappers: disappearing, view once, album, animated sticker, sent from another device. */
export function unwrap(raw: proto.IMessage | null | undefined): proto.IMessage | undefined {
  let mensagem = normalizeMessageContent(raw?.deviceSentMessage?.message ?? raw)
  for (let camada = 0; camada < MAX_LAYERS; camada += 1) {
    const dentro = unwrapOther(mensagem)
    if (dentro === undefined) break
    mensagem = normalizeMessageContent(dentro)
  }
  return mensagem
}

function unwrapOther(message: proto.IMessage | undefined): proto.IMessage | undefined {
  const embrulho =
    message?.lottieStickerMessage ??
    message?.pollCreationMessageV4 ??
    message?.groupMentionedMessage ??
    message?.botInvokeMessage ??
    message?.botForwardedMessage ??
    message?.questionMessage
  return embrulho?.message ?? undefined
}
