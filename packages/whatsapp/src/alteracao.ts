import { proto } from 'baileys'
import type { Mudanca } from './anfitriao.ts'
import { textoDigitado } from './conteudo.ts'
import { desembrulhar } from './embrulho.ts'
import { EDITADA } from './so-no-celular.ts'

export interface AlteracaoLida {
  readonly alvo: string
  readonly mudanca: Mudanca
}

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
const { MESSAGE_EDIT: EDICAO_CIFRADA } = proto.Message.SecretEncryptedMessage.SecretEncType

/** Reads an edit, a deletion or a reaction; null for any other message. */
export function lerAlteracao(bruta: proto.IMessage | null | undefined): AlteracaoLida | null {
  const dentro = desembrulhar(bruta)
  const { protocolMessage, reactionMessage, secretEncryptedMessage: cifrada } = dentro ?? {}
  if (cifrada?.secretEncType === EDICAO_CIFRADA && cifrada.targetMessageKey?.id) {
    // The new text is encrypted with a secret of the original message, so it cannot be read here. The old text is
    // outdated.
    return { alvo: cifrada.targetMessageKey.id, mudanca: { tipo: 'edicao', texto: EDITADA } }
  }
  if (reactionMessage?.key?.id) {
    return { alvo: reactionMessage.key.id, mudanca: { tipo: 'reacao', emoji: reactionMessage.text ?? '' } }
  }
  const alvo = protocolMessage?.key?.id
  if (!alvo) return null
  if (protocolMessage.type === REVOKE) return { alvo, mudanca: { tipo: 'apagada' } }
  if (protocolMessage.type !== MESSAGE_EDIT) return null
  const texto = textoDigitado(protocolMessage.editedMessage)
  return texto === '' ? null : { alvo, mudanca: { tipo: 'edicao', texto } }
}
