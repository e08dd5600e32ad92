import type { FastifyRequest } from 'fastify'
import { enviarMidiaRoute, enviarMidiaFieldsSchema } from '@balcao/contract/routes/midias'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { type BoundRoute, bind } from '#http/handle.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { type ArquivosDeps, checkArquivo, discardArquivo, storeArquivo } from '#modules/arquivos/index.ts'
import { checkSend, type SendDeps, sendMensagem, type SentMensagem } from '#modules/atendimento/index.ts'
import { type FormFile, readForm } from '#http/form.ts'
import { parseShape } from '#http/parse-shape.ts'

export function midiasRoutes(deps: SendMidiaDeps): BoundRoute[] {
  return [
    bind(enviarMidiaRoute, async ({ sessao, params, request }) =>
      sendMidia(deps, sessao, { conversaId: params.id, ...(await parseMidiaForm(request, sessao.contaId)) }),
    ),
  ]
}

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

export interface MidiaForm {
  readonly arquivo: FormFile
  readonly legenda: string
  readonly idTemporario?: string | undefined
  readonly citadaId?: string | undefined
}

export async function parseMidiaForm(request: FastifyRequest, contaId: string): Promise<MidiaForm> {
  const { fields, file } = await readForm(request, contaId)
  if (file === null || file.field !== 'arquivo') throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  return { ...parseShape(enviarMidiaFieldsSchema, fields), arquivo: file }
}
