import { isLidUser, jidNormalizedUser, type proto } from 'baileys'
import type { AEnviar, Alvo } from './anfitriao.ts'
import { idDe } from './id.ts'
import type { Eu } from './mensagem.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-/i

const idNoServico = ({ id }: Alvo): string => (UUID.test(id) ? idDe(id) : id)

/** In one chat both sides have a phone number address, or both have a LID. */
function autorDe({ nossa }: Alvo, chat: string, { jid, lid }: Eu): string {
  if (!nossa) return chat
  return jidNormalizedUser(isLidUser(chat) === true && lid !== '' ? lid : jid)
}

export function contextoDe(citada: AEnviar['citada'], chat: string, eu: Eu): { contextInfo?: proto.IContextInfo } {
  if (citada === undefined) return {}
  return {
    contextInfo: {
      stanzaId: idNoServico(citada),
      participant: autorDe(citada, chat, eu),
      quotedMessage: { conversation: citada.texto },
    },
  }
}

export function reacaoDe({ alvo, emoji }: NonNullable<AEnviar['reacao']>, chat: string): proto.IMessage {
  const key = { remoteJid: chat, fromMe: alvo.nossa, id: idNoServico(alvo) }
  return { reactionMessage: { key, text: emoji, senderTimestampMs: Date.now() } }
}
