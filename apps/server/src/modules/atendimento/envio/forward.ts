import * as z from 'zod/mini'
import type { Lote } from '@balcao/contract/entities/lote'
import { type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { type ArquivosDeps, discardArquivo, readArquivo, storeArquivo } from '#modules/arquivos/index.ts'
import { settleEach } from '#modules/atendimento/lote/settle-each.ts'
import { findServed } from '#modules/conversas/index.ts'
import { mensagemMarksSchema } from '#modules/mensagens/index.ts'
import type { OperadorSend, SentMensagem } from './send-mensagens.ts'

const forwardableSchema = z.object({
  conversaId: z.string(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  extras: z.nullable(mensagemMarksSchema),
})

const findForwardable = oneRow(
  'atendimento: find forwardable mensagem',
  forwardableSchema,
  sql`select m.conversa_id, m.texto, m.midia, m.extras from mensagens m
      where m.conta_id = ${contaId} and m.id = ${value('id', 'uuid')}`,
)

interface Forwarded {
  readonly texto: string
  readonly midia?: Midia
}

/** The message as it is now, after edits. Null for a deleted one, a call, and a file that was not stored. */
function contentOf({ texto, midia, extras }: z.output<typeof forwardableSchema>): Forwarded | null {
  const { apagada = false, ligacao, edicao = texto } = extras ?? {}
  if (apagada || ligacao !== undefined) return null
  if (midia === null) return { texto: edicao }
  return midia.url === undefined ? null : { texto: edicao, midia }
}

async function requireForwardable(tx: Tx, session: LoginSession, id: string): Promise<Forwarded> {
  const { contaId } = session
  const found = isUuid(id) ? await findForwardable(tx, { contaId, id }) : null
  const served = found === null ? null : await findServed(tx, contaId, found.conversaId, session)
  if (found === null || served === null) throw new AppError('naoEncontrado')
  const content = contentOf(found)
  if (content === null) {
    throw new AppError('mensagemForaDeAlcance', { erro: 'Esta mensagem não pode ser encaminhada.' })
  }
  return content
}

/**
 * Sends the message to each conversa. The sends join one batch. Throws `naoEncontrado` and `mensagemForaDeAlcance` for
 * the message itself.
 */
export async function forwardMensagem(
  deps: ArquivosDeps,
  send: (send: OperadorSend) => Promise<SentMensagem>,
  session: LoginSession,
  { id, conversaIds }: { readonly id: string; readonly conversaIds: readonly string[] },
): Promise<Lote> {
  const { contaId } = session
  const content = await deps.db.read(contaId, (tx) => requireForwardable(tx, session, id))
  const file = await readFile(deps, contaId, content)
  return settleEach(conversaIds, async (conversaId) => {
    const sent = { contaId, conversaId, texto: content.texto, encaminhada: true, operador: session } as const
    if (file === null) return send({ ...sent, ...content })
    return sendCopy(deps, contaId, file, (midia) => send({ ...sent, midia }))
  })
}

interface ForwardedFile {
  readonly bytes: Buffer
  readonly name: string
}

/** The bytes of a chat file. Null for a text and for a picture of a produto, which belongs to no message. */
async function readFile(deps: ArquivosDeps, contaId: string, { midia }: Forwarded): Promise<ForwardedFile | null> {
  if (midia?.url === undefined || !midia.url.startsWith('/api/midias/')) return null
  const found = await readArquivo(deps, contaId, midia.url)
  if (found === null) throw new AppError('naoEncontrado', { erro: 'Este arquivo não está mais guardado.' })
  return { bytes: Buffer.from(found.bytes), name: midia.nomeArquivo ?? '' }
}

/** Each message has a separate file, because the deletion of a message deletes its file. */
async function sendCopy(
  deps: ArquivosDeps,
  contaId: string,
  file: ForwardedFile,
  send: (midia: Midia) => Promise<SentMensagem>,
): Promise<SentMensagem> {
  const midia = await storeArquivo(deps, contaId, file)
  try {
    return await send(midia)
  } catch (error) {
    // After another error it is unknown whether the message was stored, so the sweep decides.
    if (error instanceof AppError) await discardArquivo(deps, contaId, midia)
    throw error
  }
}
