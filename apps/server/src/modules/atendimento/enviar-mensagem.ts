import type { Sessao } from '#http/authentication.ts'
import { type EnviarDeps, enviarComoOperador, type MensagemEnviada } from './enviar-como-operador.ts'

export function enviarMensagem(
  deps: EnviarDeps,
  { contaId, usuarioId, nome }: Sessao,
  envio: {
    readonly id: string
    readonly mensagem: string
    readonly idTemporario?: string | undefined
    readonly citadaId?: string | undefined
  },
): Promise<MensagemEnviada> {
  const { id: conversaId, mensagem: texto, idTemporario, citadaId } = envio
  const operador = { id: usuarioId, nome }
  return deps.db.transaction(
    contaId,
    (tx) => enviarComoOperador(tx, deps, { contaId, conversaId, texto, idTemporario, citadaId, operador }),
    'indices',
  )
}
