import * as z from 'zod/mini'
import type { FastifyRequest } from 'fastify'
import { channelOf } from '@balcao/contract/connectors'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { chatIdSchema } from '@balcao/contract/entities/webchat'
import { storedLine } from '#db/statement/line.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type FormFile, readForm } from '#http/form.ts'
import { parseShape } from '#http/parse-shape.ts'
import { checkArquivo, discardArquivo, storeReceived } from '#modules/arquivos/index.ts'
import { appendMensagem, findReceived } from './events.ts'
import type { ChatVisit } from '../visit.ts'

export type ReceiveDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'files' | 'realtime' | 'webchat'>

const channelOfVisit = (visit: ChatVisit): string => channelOf({ conector: 'webchat', linha: storedLine(visit) })

interface ChatMessage {
  readonly id: string
  readonly texto: string
  readonly midia?: Midia
}

/** Visitors choose their ids, so an id counts only together with the address. */
const externalId = ({ endereco }: ChatVisit, id: string): string => `${endereco}:${id}`

/** Passes a message to the bot and resolves when it is stored. A repeated id is the same message. */
export async function receiveMessage(
  { webchat, db, clock }: ReceiveDeps,
  visit: ChatVisit,
  { id, ...message }: ChatMessage,
): Promise<{ id: string }> {
  const { contaId, endereco, nome } = visit
  const [canal, idExterno] = [channelOfVisit(visit), externalId(visit, id)]
  const stored = { id: idExterno, endereco, telefone: '', nome, enviadaEm: clock.now(), ...message }
  await webchat.receive(visit, canal, stored)
  await db.transaction(contaId, async (tx) => {
    const received = await findReceived(tx, { contaId, canal, idExterno })
    // Null: a person deleted it, and a visitor sent it again.
    if (received !== null) await appendMensagem(tx, { contaId, endereco, mensagemId: received.id })
  })
  webchat.feed.stored(visit)
  return { id }
}

const formSchema = z.object({ id: chatIdSchema })

interface ChatFile {
  readonly id: string
  readonly arquivo: FormFile
}

/** Throws `dadosInvalidos`, `arquivoGrande`. */
export async function parseChatFile(request: FastifyRequest, { contaId }: ChatVisit): Promise<ChatFile> {
  const { fields, file } = await readForm(request, contaId)
  const { id } = parseShape(formSchema, fields)
  if (file?.field !== 'arquivo') throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  return { id, arquivo: file }
}

/** Throws `arquivoInvalido`, `arquivoGrande`. */
export async function receiveFile(
  deps: ReceiveDeps,
  visit: ChatVisit,
  { id, arquivo }: ChatFile,
): Promise<{ id: string }> {
  const { contaId } = visit
  checkArquivo(arquivo)
  const which = { contaId, canal: channelOfVisit(visit), idExterno: externalId(visit, id) }
  if ((await deps.db.read(contaId, (tx) => findReceived(tx, which))) !== null) return { id }
  const midia = await storeReceived(deps, contaId, arquivo)
  try {
    return await receiveMessage(deps, visit, { id, texto: '', midia })
  } catch (error) {
    // After another error it is unknown whether the message was stored, so the sweep decides.
    if (error instanceof AppError) await discardArquivo(deps, contaId, midia)
    throw error
  }
}
