import type { Midia } from '@balcao/contract/entities/mensagem'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { type ArquivosDeps, checkArquivo, discardArquivo, storeArquivo } from '#modules/arquivos/index.ts'
import { checkSend, type SendDeps, sendMensagem, type SentMensagem } from '#modules/atendimento/index.ts'
import type { MidiaForm } from './parse-form.ts'

export type SendMidiaDeps = SendDeps & ArquivosDeps

/**
 * Sends a file of an operador. Checks first, then stores the file without holding a lock, then sends. Deletes the
 * file if the send is refused or a repeated request was faster.
 */
export async function sendMidia(
  deps: SendMidiaDeps,
  session: LoginSession,
  { conversaId, arquivo, legenda: texto, idTemporario, citadaId }: MidiaForm & { readonly conversaId: string },
): Promise<SentMensagem> {
  const { contaId } = session
  const envio = { contaId, conversaId, texto, idTemporario, citadaId, operador: session }
  checkArquivo(arquivo)
  const send = (midia?: Midia): Promise<SentMensagem> =>
    deps.db.transaction(contaId, (tx) =>
      sendMensagem(tx, deps, { ...envio, ...(midia === undefined ? {} : { midia }) }),
    )
  if ((await deps.db.transaction(contaId, (tx) => checkSend(tx, deps, envio))) === 'repetido') return send()

  const midia = await storeArquivo(deps, contaId, arquivo)
  try {
    const sent = await send(midia)
    if (sent.mensagem.midia?.url !== midia.url) await discardArquivo(deps, contaId, midia)
    return sent
  } catch (error) {
    // After another error it is unknown whether the mensagem was stored, so the sweep decides.
    if (error instanceof AppError) await discardArquivo(deps, contaId, midia)
    throw error
  }
}
