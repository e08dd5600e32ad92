import { normalizeMessageContent, type proto } from 'baileys'

const CAMADAS = 5

/** Removes WhatsApp's wrappers: disappearing, view once, album, animated sticker, sent from another device. */
export function desembrulhar(bruta: proto.IMessage | null | undefined): proto.IMessage | undefined {
  let mensagem = normalizeMessageContent(bruta?.deviceSentMessage?.message ?? bruta)
  for (let camada = 0; camada < CAMADAS; camada += 1) {
    const dentro = outroEmbrulho(mensagem)
    if (dentro === undefined) break
    mensagem = normalizeMessageContent(dentro)
  }
  return mensagem
}

function outroEmbrulho(mensagem: proto.IMessage | undefined): proto.IMessage | undefined {
  const embrulho =
    mensagem?.lottieStickerMessage ??
    mensagem?.pollCreationMessageV4 ??
    mensagem?.groupMentionedMessage ??
    mensagem?.botInvokeMessage ??
    mensagem?.botForwardedMessage ??
    mensagem?.questionMessage
  return embrulho?.message ?? undefined
}
