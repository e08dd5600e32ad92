import type { LoginSession } from '#http/authentication.ts'
import type { OperadorSend, SentMensagem } from './send-mensagens.ts'

export function sendText(
  send: (envio: OperadorSend) => Promise<SentMensagem>,
  { contaId, usuarioId, nome }: LoginSession,
  envio: {
    readonly id: string
    readonly mensagem: string
    readonly idTemporario?: string | undefined
    readonly citadaId?: string | undefined
  },
): Promise<SentMensagem> {
  const { id: conversaId, mensagem: texto, idTemporario, citadaId } = envio
  return send({ contaId, conversaId, texto, idTemporario, citadaId, operador: { id: usuarioId, nome } })
}
