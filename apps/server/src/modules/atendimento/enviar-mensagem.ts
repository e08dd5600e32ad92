import type { Sessao } from '#http/authentication.ts'
import type { EnvioDeOperador, MensagemEnviada } from './enviar-como-operador.ts'

export function enviarMensagem(
  enviar: (envio: EnvioDeOperador) => Promise<MensagemEnviada>,
  { contaId, usuarioId, nome }: Sessao,
  envio: {
    readonly id: string
    readonly mensagem: string
    readonly idTemporario?: string | undefined
    readonly citadaId?: string | undefined
  },
): Promise<MensagemEnviada> {
  const { id: conversaId, mensagem: texto, idTemporario, citadaId } = envio
  return enviar({ contaId, conversaId, texto, idTemporario, citadaId, operador: { id: usuarioId, nome } })
}
