import * as z from 'zod/mini'
import { IA_CONTEXTO } from '@balcao/contract/constants'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { type IaLine, buildIaConversa } from '@balcao/engine/ia/conversa'
import type { Tx } from '#db/transaction.ts'
import { buildAiRequest } from '#modules/ia/index.ts'
import type { AiRequest, ReadMidia, AiMidia } from '#ports/ai.ts'
import { toBotContext, type AccountContext } from '#modules/ia/index.ts'

export interface GatheredQuestion {
  /** Id of the first message of the question. Everything the customer wrote since belongs to it. */
  readonly since: string
  readonly customerName: string
  /** Newest first. */
  readonly lines: readonly z.output<typeof lineSchema>[]
}

const LINES_MAX = IA_CONTEXTO.mensagens + 40
const MIDIAS_MAX = 3
/** The provider accepts requests of 20 MB, and base64 adds a third. */
const MIDIAS_MAX_BYTES = 12_000_000

const awaitedSchema = z.object({
  desde: z.string(),
  nome: z.string(),
  conversa_id: z.nullable(z.string()),
  esperada: z.boolean(),
})
const lineSchema = z.object({
  id: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
})

const AWAITED_SQL = `
select coalesce(p.desde_id, p.id) as desde, c.nome, c.conversa_id, coalesce(c.estado ->> 'pergunta' = p.id::text, false) as esperada
from perguntas_ia p join contatos c on c.conta_id = p.conta_id and c.id = p.contato_id
where p.conta_id = $1 and p.id = $2 and p.contato_id = $3`

const LINES_SQL = `
select id, direcao, texto, midia from mensagens
where conta_id = $1 and conversa_id = $2 and (texto <> '' or midia is not null) and estado not in ('limite', 'falhou')
  and criada_em > $3
order by id desc limit ${LINES_MAX}`

/**
 * Reads a pending question. Returns null when it was answered or replaced. When the customer is back in the menu or
 * with a person, it deletes the row and returns null.
 */
export async function readQuestion(
  tx: Tx,
  now: Date,
  { contaId, contatoId, id }: { readonly contaId: string; readonly contatoId: string; readonly id: string },
): Promise<GatheredQuestion | null> {
  const expected = await tx.queryNamed('pergunta-esperada', AWAITED_SQL, [contaId, id, contatoId])
  if (expected.rows[0] === undefined) return null
  const pergunta = awaitedSchema.parse(expected.rows[0])
  if (!pergunta.esperada || pergunta.conversa_id === null) {
    await tx.query('delete from perguntas_ia where conta_id = $1 and id = $2', [contaId, id])
    return null
  }
  const desde = new Date(now.getTime() - IA_CONTEXTO.janelaMs)
  const parsed = await tx.queryNamed('pergunta-linhas', LINES_SQL, [contaId, pergunta.conversa_id, desde])
  const linhas = parsed.rows.map((line) => lineSchema.parse(line))
  return { since: pergunta.desde, customerName: pergunta.nome, lines: linhas }
}

export interface CustomerRequestInput {
  readonly context: AccountContext
  readonly contatoId: string
  readonly question: GatheredQuestion
  readonly now: Date
  readonly readMidia: ReadMidia
}

export async function buildCustomerRequest({
  context,
  contatoId,
  question,
  now,
  readMidia,
}: CustomerRequestInput): Promise<AiRequest> {
  const { since, customerName } = question
  const midias = context.iaReadsMidia
    ? await readMidias(context.contaId, question, readMidia)
    : new Map<string, AiMidia>()
  const linhas = question.lines.toReversed().map(({ id, direcao, texto, midia }): IaLine => ({
    id,
    de: direcao === 'entrada' ? 'cliente' : 'bot',
    texto,
    ...(midia === null ? {} : { midia: midia.tipo, attached: midias.has(id) }),
  }))
  const { lembrarContexto } = context.config.ia.comportamentos
  const conversa = buildIaConversa(linhas, since, lembrarContexto)
  return buildAiRequest({
    contaId: context.contaId,
    contatoId,
    contexto: toBotContext(context),
    nomeCliente: customerName,
    agora: now,
    ...conversa,
    midias: [...midias.values()],
  })
}

async function readMidias(
  contaId: string,
  { lines, since }: GatheredQuestion,
  lerMidia: ReadMidia,
): Promise<Map<string, AiMidia>> {
  const parsed = new Map<string, AiMidia>()
  let cabem = MIDIAS_MAX_BYTES
  const daPergunta = lines.filter(({ id, direcao }) => direcao === 'entrada' && id >= since)
  for (const { id, midia } of daPergunta) {
    if (parsed.size >= MIDIAS_MAX || (midia?.tipo !== 'imagem' && midia?.tipo !== 'audio')) continue
    const lida = midia.url === undefined ? null : await lerMidia(contaId, midia.url)
    if (lida === null || lida.bytes.length > cabem) continue
    cabem -= lida.bytes.length
    parsed.set(id, lida)
  }
  return new Map([...parsed].toReversed())
}
