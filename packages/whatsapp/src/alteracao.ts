import { proto } from 'baileys'
import type { Mudanca } from './anfitriao.ts'
import { textoDigitado } from './conteudo.ts'
import { desembrulhar } from './embrulho.ts'
import { EDITADA } from './so-no-celular.ts'

/** What somebody did to a message that was said before. */
export interface AlteracaoLida {
  /** The id of that message. */
  readonly alvo: string
  readonly mudanca: Mudanca
}

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
const { MESSAGE_EDIT: EDICAO_CIFRADA } = proto.Message.SecretEncryptedMessage.SecretEncType

/** An edit, a deletion or a reaction; null for everything else. */
export function lerAlteracao(bruta: proto.IMessage | null | undefined): AlteracaoLida | null {
  const dentro = desembrulhar(bruta)
  const { protocolMessage, reactionMessage, secretEncryptedMessage: cifrada } = dentro ?? {}
  if (cifrada?.secretEncType === EDICAO_CIFRADA && cifrada.targetMessageKey?.id) {
    // Its words are hidden under a secret of the message of before. What that one said is no longer what was meant.
    return { alvo: cifrada.targetMessageKey.id, mudanca: { tipo: 'edicao', texto: EDITADA } }
  }
  if (reactionMessage?.key?.id) {
    // An empty one takes the reaction back.
    return { alvo: reactionMessage.key.id, mudanca: { tipo: 'reacao', emoji: reactionMessage.text ?? '' } }
  }
  const alvo = protocolMessage?.key?.id
  if (!alvo) return null
  if (protocolMessage.type === REVOKE) return { alvo, mudanca: { tipo: 'apagada' } }
  if (protocolMessage.type !== MESSAGE_EDIT) return null
  const texto = textoDigitado(protocolMessage.editedMessage)
  return texto === '' ? null : { alvo, mudanca: { tipo: 'edicao', texto } }
}
