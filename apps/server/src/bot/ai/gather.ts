import * as z from 'zod/mini'
import { IA_CONTEXTO } from '@balcao/contract/constants'
import type { Trecho } from '@balcao/contract/entities/fonte'
import { type IaConversa, buildIaConversa } from '@balcao/engine/ia/conversa'
import { columns, rawSql, sql, value } from '#db/statement/sql.ts'
import { inOrder, manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { Batcher } from '#lib/queue/batcher.ts'
import { listHolders } from '#modules/bot/index.ts'
import { embeddingAccessOf, listWithFontes, searchFontes, type SearchFontesDeps } from '#modules/fontes/index.ts'
import {
  type AccountContext,
  type AwaitedQuestion,
  buildAiRequest,
  findAwaitedQuestions,
  iaLineColumns,
  iaLineSchema,
  isIaLine,
  type PendingQuestion,
  type StoredIaLine,
  toBotContext,
  toIaLine,
} from '#modules/ia/index.ts'
import type { AiMidia, AiRequest, ReadMidia } from '#ports/ai.ts'
import type { BotDeps } from '#bot/deps.ts'

const LINES_MAX = IA_CONTEXTO.mensagens + 40

const listLines = manyRows(
  'perguntas-linhas',
  z.extend(iaLineSchema, { n: z.int() }),
  sql`
select i.n::int as n, m.* from ${columns('i', { contaId: 'uuid', conversaId: 'uuid' }, { number: 'n' })}
cross join lateral (
  select ${iaLineColumns} from mensagens m
  where m.conta_id = i.conta_id and m.conversa_id = i.conversa_id and ${isIaLine}
    and m.criada_em > ${value('oldest', 'timestamptz')}
  order by m.id desc limit ${rawSql(String(LINES_MAX))}
) m order by i.n, m.id desc`,
  { prepared: true, planner: 'indexes' },
)

export interface GatheredQuestion extends Pick<
  AwaitedQuestion,
  'since' | 'customerName' | 'contextVersion' | 'monthCost'
> {
  /** Newest first. */
  readonly lines: readonly StoredIaLine[]
  /** The account has sources to search. */
  readonly hasFontes: boolean
}

const BATCH_MAX = 100
const PARALLEL_BATCHES = 2

interface QueuedRead {
  readonly key: string
  readonly question: PendingQuestion
  readonly resolve: (gathered: GatheredQuestion | null) => void
  readonly reject: (error: unknown) => void
}

export class QuestionReader {
  readonly #deps: Pick<BotDeps, 'db' | 'clock' | 'fleet'>
  readonly #queue: Batcher<QueuedRead>

  constructor(deps: Pick<BotDeps, 'db' | 'clock' | 'fleet'>) {
    this.#deps = deps
    this.#queue = new Batcher({
      max: BATCH_MAX,
      slots: PARALLEL_BATCHES,
      groupOf: ({ question }) => question.contaId,
      handleBatch: async (batch) => {
        await this.#readBatch(batch)
        return []
      },
    })
  }

  /**
   * Resolves with null when another node has the bot, when the question was answered or replaced, and when the customer
   * is back in the menu or with a person; its row is then deleted.
   */
  read(question: PendingQuestion): Promise<GatheredQuestion | null> {
    return new Promise((resolve, reject) => {
      this.#queue.add({ key: `${question.contaId}|${question.id}`, question, resolve, reject })
    })
  }

  async #readBatch(batch: readonly QueuedRead[]): Promise<void> {
    const contas = [...new Set(batch.map(({ question }) => question.contaId))]
    const questions = batch.map(({ question }) => question)
    try {
      const { db, clock, fleet } = this.#deps
      const input = { node: fleet.self, now: clock.now() }
      const gathered = await db.transaction(contas, (tx) => readQuestions(tx, questions, input), { planner: 'indexes' })
      for (const [index, { resolve }] of batch.entries()) resolve(gathered[index] ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}

async function readQuestions(
  tx: Tx,
  questions: readonly PendingQuestion[],
  { node, now }: { readonly node: string; readonly now: Date },
): Promise<(GatheredQuestion | null)[]> {
  const [holders, pending] = await inOrder([
    listHolders(
      tx,
      questions.map(({ linhaId }) => linhaId),
    ),
    findAwaitedQuestions(tx, questions, now),
  ])
  // Only the node with the line asks, so that the limits of the provider count all questions of the line.
  const awaited = pending.map((question, index) =>
    (holders.get(questions[index]?.linhaId ?? '') ?? node) === node ? question : null,
  )
  const found = awaited.flatMap((question, index) => (question === null ? [] : [{ ...question, index }]))
  if (found.length === 0) return awaited.map(() => null)
  const oldest = new Date(now.getTime() - IA_CONTEXTO.janelaMs)
  const contas = [...new Set(found.map(({ contaId }) => contaId))]
  const [rows, withFontes] = await inOrder([listLines(tx, { i: found, oldest }), listWithFontes(tx, { contas, now })])
  const searchable = new Set(withFontes.map(({ contaId }) => contaId))
  const lines = Map.groupBy(rows, ({ n }) => n - 1)
  const gathered: (GatheredQuestion | null)[] = awaited.map(() => null)
  for (const [place, { index, since, customerName, contextVersion, monthCost, contaId }] of found.entries()) {
    const hasFontes = searchable.has(contaId)
    gathered[index] = { since, customerName, contextVersion, monthCost, lines: lines.get(place) ?? [], hasFontes }
  }
  return gathered
}

const MIDIAS_MAX = 3
/** The provider accepts requests of 20 MB, and base64 adds a third. */
const MIDIAS_MAX_BYTES = 12_000_000

export interface CustomerRequestInput {
  readonly context: AccountContext
  readonly contatoId: string
  readonly question: GatheredQuestion
  readonly now: Date
  readonly readMidia: ReadMidia
  readonly trechos: readonly Trecho[]
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
  if (filesOf(context, question).length === 0) return { request: plain, sent: () => plain }
  let sent = plain
  const withFiles = async (): Promise<AiRequest> => {
    const complete = requestWith(input, await readMidias(context, question, readMidia))
    sent = { ...complete, midias: [] }
    return complete
  }
  return { request: { ...plain, withFiles }, sent: () => sent }
}

function requestWith(
  { context, contatoId, question, now, trechos }: CustomerRequestInput,
  midias: ReadonlyMap<string, AiMidia>,
): AiRequest {
  return buildAiRequest({
    contaId: context.contaId,
    contatoId,
    contexto: toBotContext(context),
    nomeCliente: question.customerName,
    agora: now,
    ...conversaOf(context, question, midias),
    midias: [...midias.values()],
    trechos,
  })
}

function conversaOf(
  { config }: AccountContext,
  { lines: stored, since }: GatheredQuestion,
  midias: ReadonlyMap<string, AiMidia>,
): IaConversa {
  const lines = stored.toReversed().map((line) => toIaLine(line, midias.has(line.id)))
  return buildIaConversa(lines, since, config.ia.comportamentos.lembrarContexto)
}

/** The pieces of the shop's sources for the question. An error leaves the question without them. */
export async function findTrechos(
  deps: SearchFontesDeps & Pick<BotDeps, 'log'>,
  context: AccountContext,
  question: GatheredQuestion,
  signal: AbortSignal,
): Promise<readonly Trecho[]> {
  if (!question.hasFontes) return []
  const { contaId, config } = context
  const { pergunta } = conversaOf(context, question, new Map())
  try {
    return await searchFontes(deps, { contaId, pergunta, access: embeddingAccessOf(config), signal })
  } catch (error) {
    deps.log.warn({ err: error, contaId }, 'sources not searched, question asked without them')
    return []
  }
}

function filesOf({ iaReadsMidia }: AccountContext, { lines, since }: GatheredQuestion) {
  return lines.flatMap(({ id, direcao, midia, transcricao }) => {
    const isReadable = iaReadsMidia.some((tipo) => tipo === midia?.tipo)
    if (direcao !== 'entrada' || id < since || !isReadable || midia?.url === undefined || transcricao !== null)
      return []
    return [{ id, url: midia.url }]
  })
}

async function readMidias(
  context: AccountContext,
  question: GatheredQuestion,
  readMidia: ReadMidia,
): Promise<Map<string, AiMidia>> {
  const midias = new Map<string, AiMidia>()
  let bytesLeft = MIDIAS_MAX_BYTES
  for (const { id, url } of filesOf(context, question)) {
    if (midias.size >= MIDIAS_MAX) break
    const file = await readMidia(context.contaId, url)
    if (file === null || file.bytes.length > bytesLeft) continue
    bytesLeft -= file.bytes.length
    midias.set(id, file)
  }
  return new Map([...midias].toReversed())
}
