import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { phoneDigits } from '@balcao/contract/entities/telefone'
import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import { type MensagemSimuladaInput, mensagemSimuladaInputSchema } from '@balcao/contract/entities/simulador'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type FormFile, readForm } from '#http/form.ts'
import { createTokenBuckets } from '#http/limits/token-buckets.ts'
import { checkArquivo, discardArquivo, storeReceived } from '#modules/arquivos/index.ts'
import type { LineKey } from '#ports/bots.ts'
import { parseShape } from '#http/parse-shape.ts'
import { countReceivedToday, isReceived, simulatedChannel } from './repository.ts'

type ReceiveDeps = Pick<Deps, 'simulador' | 'ids' | 'clock' | 'db' | 'files' | 'realtime'>

const DAY_S = 86_400
const RECEIVED_A_DAY = 50_000
/** Messages of the simulated own phone, which the counter of the day does not include. */
const OWN_A_DAY = 1_000

const takeOwn = createTokenBuckets({ perSecond: OWN_A_DAY / DAY_S, burst: OWN_A_DAY })

/** Throws `limitePlano`. A person could store messages all day long, with nothing that ends it. */
async function requireRoom({ db, clock }: ReceiveDeps, contaId: string, isOwn: boolean): Promise<void> {
  if (isOwn && takeOwn(contaId)) return
  const limite = isOwn ? OWN_A_DAY : RECEIVED_A_DAY
  const usado = isOwn
    ? OWN_A_DAY
    : await db.read(contaId, (tx) => countReceivedToday(tx, { contaId, now: clock.now() }))
  if (usado < limite) return
  const erro = `O simulador recebe até ${limite.toLocaleString('pt-BR')} mensagens por dia. Tente de novo amanhã.`
  throw new AppError('limitePlano', { erro, usado, limite })
}

/**
 * Plays the messaging service: passes the message to the bot and returns its id once it is stored. Throws `limitePlano`
 * above 50,000 messages of a day.
 */
export async function receiveSimulatedMessage(
  deps: ReceiveDeps,
  line: LineKey,
  input: SimulatedMessageForm,
): Promise<{ id: string }> {
  const { contaId } = line
  const { arquivo, deMim, grupo, ...rest } = input
  await requireRoom(deps, contaId, deMim === true)
  const id = input.id ?? deps.ids.uuid()
  const telefone = phoneDigits(input.telefone)
  const midia = arquivo === undefined ? undefined : await receiveArquivo(deps, line, { ...input, id, arquivo })
  try {
    await deps.simulador.receive(line, {
      ...{ id, telefone, nome: rest.nome, texto: rest.texto },
      endereco: telefone,
      enviadaEm: deps.clock.now(),
      ...(midia === undefined ? {} : { midia }),
      ...(deMim === undefined ? {} : { deMim }),
      ...(grupo === undefined ? {} : { grupo }),
    })
  } catch (error) {
    // After another error it is unknown whether the mensagem was stored, so the sweep decides.
    if (midia !== undefined && error instanceof AppError) await discardArquivo(deps, contaId, midia)
    throw error
  }
  return { id }
}

interface MessageWithArquivo {
  readonly id: string
  readonly grupo?: boolean | undefined
  readonly arquivo: FormFile
}

async function receiveArquivo(
  deps: ReceiveDeps,
  line: LineKey,
  { id, grupo, arquivo }: MessageWithArquivo,
): Promise<Midia | undefined> {
  if (arquivo.field === 'imagem') requireImageFile(arquivo)
  const tipo = checkArquivo(arquivo)
  const { contaId } = line
  const channel = simulatedChannel(line)
  const repeated = await deps.db.read(contaId, (tx) => isReceived(tx, { contaId, channel, id }))
  return grupo === true || repeated ? { tipo: tipo.midia } : storeReceived(deps, contaId, arquivo)
}

function requireImageFile(arquivo: FormFile): void {
  try {
    if (checkArquivo(arquivo).midia === 'imagem') return
  } catch (error) {
    if (!(error instanceof AppError) || error.codigo !== 'arquivoInvalido') throw error
  }
  throw new AppError('imagemInvalida')
}

export type SimulatedMessageForm = MensagemSimuladaInput & { readonly arquivo?: FormFile }

const withArquivoSchema = z.extend(mensagemSimuladaInputSchema, {
  texto: z._default(z.string().check(z.trim(), z.maxLength(TEXTO_MAXIMO)), ''),
})

/** Parses a simulated message from JSON, or from a form with a file. Throws `dadosInvalidos`, `arquivoGrande`. */
export async function parseSimulatedMessage(request: FastifyRequest, contaId: string): Promise<SimulatedMessageForm> {
  if (!request.isMultipart()) return parseShape(mensagemSimuladaInputSchema, request.body ?? {})
  const { fields, file } = await readForm(request, contaId)
  const parsed = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, BOOLEAN_FIELDS.has(name) ? toBoolean(value) : value]),
  )
  if (file === null) return parseShape(mensagemSimuladaInputSchema, parsed)
  return { ...parseShape(withArquivoSchema, parsed), arquivo: file }
}

const BOOLEAN_FIELDS: ReadonlySet<string> = new Set(['deMim', 'grupo'])

function toBoolean(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value
}
