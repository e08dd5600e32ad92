import type { Midia } from '@balcao/contract/entities/mensagem'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { type ArquivosDeps, conferirArquivo, descartarArquivo, guardarArquivo } from '#modules/arquivos/index.ts'
import { conferirEnvio, type EnviarDeps, enviarComoOperador, type MensagemEnviada } from '#modules/atendimento/index.ts'
import type { MidiaDoFormulario } from './ler-formulario.ts'

export type EnviarMidiaDeps = EnviarDeps & ArquivosDeps

/**
 * Sends a file of an operador. Checks first, then stores the file without holding a lock, then sends. Deletes the
 * file if the send is refused or a repeated request was faster.
 */
export async function enviarMidia(
  deps: EnviarMidiaDeps,
  { contaId, usuarioId, nome }: Sessao,
  { conversaId, arquivo, legenda: texto, idTemporario, citadaId }: MidiaDoFormulario & { readonly conversaId: string },
): Promise<MensagemEnviada> {
  const envio = { contaId, conversaId, texto, idTemporario, citadaId, operador: { id: usuarioId, nome } }
  conferirArquivo(arquivo)
  const enviar = (midia?: Midia): Promise<MensagemEnviada> =>
    deps.db.transaction(contaId, (tx) =>
      enviarComoOperador(tx, deps, { ...envio, ...(midia === undefined ? {} : { midia }) }),
    )
  if ((await deps.db.transaction(contaId, (tx) => conferirEnvio(tx, deps, envio))) === 'repetido') return enviar()

  const midia = await guardarArquivo(deps, contaId, arquivo)
  try {
    const enviada = await enviar(midia)
    if (enviada.mensagem.midia?.url !== midia.url) await descartarArquivo(deps, contaId, midia)
    return enviada
  } catch (error) {
    // After another error it is unknown whether the mensagem was stored, so the sweep decides.
    if (error instanceof AppError) await descartarArquivo(deps, contaId, midia)
    throw error
  }
}
