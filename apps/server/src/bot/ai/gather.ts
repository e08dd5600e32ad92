import { type IaLine, buildIaConversa } from '@balcao/engine/ia/conversa'
import { type AccountContext, buildAiRequest, toBotContext } from '#modules/ia/index.ts'
import type { AiMidia, AiRequest, ReadMidia } from '#ports/ai.ts'
import type { GatheredQuestion } from './read-questions.ts'

const MIDIAS_MAX = 3
/** The provider accepts requests of 20 MB, and base64 adds a third. */
const MIDIAS_MAX_BYTES = 12_000_000

export interface CustomerRequestInput {
  readonly context: AccountContext
  readonly contatoId: string
  readonly question: GatheredQuestion
  readonly now: Date
  readonly readMidia: ReadMidia
}

export interface CustomerRequest {
  readonly request: AiRequest
  /** The request as it was sent, without the bytes of its files. */
  readonly sent: () => AiRequest
}

/** Builds the request of a customer. Its files are read only when the AI has a slot for the question.
 * A question without files has no `withFiles`. */
export function buildCustomerRequest(input: CustomerRequestInput): CustomerRequest {
  const { context, question, readMidia } = input
  const plain = requestWith(input, new Map())
  if (!context.iaReadsMidia || filesOf(question).length === 0) return { request: plain, sent: () => plain }
  let sent = plain
  const withFiles = async (): Promise<AiRequest> => {
    const complete = requestWith(input, await readMidias(context.contaId, question, readMidia))
    sent = { ...complete, midias: [] }
    return complete
  }
  return { request: { ...plain, withFiles }, sent: () => sent }
}

function requestWith(
  { context, contatoId, question, now }: CustomerRequestInput,
  midias: ReadonlyMap<string, AiMidia>,
): AiRequest {
  const { since, customerName } = question
  const lines = question.lines.toReversed().map(({ id, direcao, texto, midia }): IaLine => ({
    id,
    de: direcao === 'entrada' ? 'cliente' : 'bot',
    texto,
    ...(midia === null ? {} : { midia: midia.tipo, attached: midias.has(id) }),
  }))
  const { lembrarContexto } = context.config.ia.comportamentos
  return buildAiRequest({
    contaId: context.contaId,
    contatoId,
    contexto: toBotContext(context),
    nomeCliente: customerName,
    agora: now,
    ...buildIaConversa(lines, since, lembrarContexto),
    midias: [...midias.values()],
  })
}

interface QuestionFile {
  readonly id: string
  readonly url: string
}

/** The images and recordings of the question, newest first. */
function filesOf({ lines, since }: GatheredQuestion): QuestionFile[] {
  return lines.flatMap(({ id, direcao, midia }) => {
    const isReadable = midia?.tipo === 'imagem' || midia?.tipo === 'audio'
    if (direcao !== 'entrada' || id < since || !isReadable || midia.url === undefined) return []
    return [{ id, url: midia.url }]
  })
}

/** Reads the newest files of the question, as many as fit into the request. */
async function readMidias(
  contaId: string,
  question: GatheredQuestion,
  readMidia: ReadMidia,
): Promise<Map<string, AiMidia>> {
  const midias = new Map<string, AiMidia>()
  let bytesLeft = MIDIAS_MAX_BYTES
  for (const { id, url } of filesOf(question)) {
    if (midias.size >= MIDIAS_MAX) break
    const file = await readMidia(contaId, url)
    if (file === null || file.bytes.length > bytesLeft) continue
    bytesLeft -= file.bytes.length
    midias.set(id, file)
  }
  return new Map([...midias].toReversed())
}
