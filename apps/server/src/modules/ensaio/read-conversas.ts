import * as z from 'zod/mini'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import type { IaResult, MidiaKind } from '@balcao/engine/event'
import { foldQuestion, type ReplayItem } from '@balcao/engine/rehearsal/replay'
import { lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

/** Stored conversas as the replay reads them. Only reads. */

const conversaSchema = z.object({
  id: z.string(),
  contatoId: z.string(),
  linhaId: z.string(),
  protocolo: z.nullable(z.string()),
  finalizadaEm: z.nullable(z.date()),
  motivoFim: z.nullable(z.string()),
  nome: z.string(),
  avisadoEm: z.nullable(z.number()),
  paradoEm: z.nullable(z.number()),
  iniciadaEm: z.date(),
})
export type StoredConversa = z.output<typeof conversaSchema>

/** By contato, and of each contato in the order in which they began. */
export const listConversasToReplay = manyRows(
  'ensaio: list conversas',
  conversaSchema,
  sql`select v.id, v.contato_id, ${lineOf('v')} as linha_id, v.protocolo, v.finalizada_em, v.motivo_fim, c.nome,
        (c.estado ->> 'avisadoEm')::float8 as avisado_em, (c.estado ->> 'paradoEm')::float8 as parado_em, v.iniciada_em
      from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
      where v.conta_id = ${contaId} and not v.teste and v.iniciada_em >= ${value('since', 'timestamptz')}
        and v.iniciada_em < ${value('until', 'timestamptz')}
        and (v.contato_id, v.id) > (${value('contatoId', 'uuid')}, ${value('conversaId', 'uuid')})
      order by v.contato_id, v.id limit ${value('limit', 'int')}`,
)

const mensagemSchema = z.object({
  conversaId: z.string(),
  id: z.string(),
  origem: z.enum(['cliente', 'bot', 'ia', 'operador', 'telefone']),
  texto: z.string(),
  midia: z.nullable(midiaSchema.shape.tipo),
  ligacao: z.boolean(),
  doAgente: z.boolean(),
  criadaEm: z.date(),
  ferramentas: z.nullable(z.unknown()),
  retida: z.boolean(),
})
type StoredMensagem = z.output<typeof mensagemSchema>

const listMensagens = manyRows(
  'ensaio: list mensagens',
  mensagemSchema,
  sql`select m.*, r.dados -> 'ferramentas' as ferramentas, coalesce(r.dados ->> 'retida', 'false') = 'true' as retida
      from unnest(${value('conversas', 'uuid[]')}) v (id)
      cross join lateral (
        select conversa_id, id, origem, case when origem in ('cliente', 'ia') then texto else '' end as texto, midia ->> 'tipo' as midia, coalesce(extras ? 'ligacao', false) as ligacao,
          coalesce(extras ? 'agenteMeta', false) as do_agente, criada_em
        from mensagens m where m.conta_id = ${contaId} and m.conversa_id = v.id order by m.id offset 0
      ) m
      left join lateral (
        select dados from respostas_ia r where r.conta_id = ${contaId} and r.mensagem_id = m.id offset 0
      ) r on m.origem in ('bot', 'ia')
      order by m.conversa_id, m.id`,
)

/** The items of each conversa, in order. */
export async function readItems(
  tx: Tx,
  contaId: string,
  conversas: readonly StoredConversa[],
): Promise<Map<string, ReplayItem[]>> {
  const rows = await listMensagens(tx, { contaId, conversas: conversas.map(({ id }) => id) })
  const byConversa = Map.groupBy(rows, ({ conversaId }) => conversaId)
  return new Map(conversas.map((conversa) => [conversa.id, itemsOf(conversa, byConversa.get(conversa.id) ?? [])]))
}

function itemsOf(conversa: StoredConversa, mensagens: readonly StoredMensagem[]): ReplayItem[] {
  const items = mensagens.flatMap(itemsOfMensagem)
  const end = endOf(conversa, mensagens)
  if (end === null) return items
  // Messages after the end, such as a rating, follow it.
  const at = items.findIndex(({ em }) => em > end.em)
  return at === -1 ? [...items, end] : items.toSpliced(at, 0, end)
}

function itemsOfMensagem(mensagem: StoredMensagem): ReplayItem[] {
  const { id, texto, midia, ligacao, doAgente } = mensagem
  const em = mensagem.criadaEm.getTime()
  if (doAgente) return []
  switch (mensagem.origem) {
    case 'cliente':
      return [ligacao ? { tipo: 'ligacao', em } : { tipo: 'cliente', em, id, texto, ...kindOf(midia) }]
    case 'telefone':
    case 'operador':
      return [{ tipo: mensagem.origem, em }]
    case 'bot': {
      const setor = transferredSetor(mensagem.ferramentas)
      return setor === null ? [] : [{ tipo: 'ia', em, resultado: { tipo: 'transferir', setor } }]
    }
    case 'ia':
      return [{ tipo: 'ia', em, resultado: mensagem.retida ? WITHHELD : { tipo: 'texto', texto } }]
  }
}

/** The draft decides again whether a withheld answer calls a person. */
const WITHHELD: IaResult = { tipo: 'retida', motivo: 'sem apoio' }

function kindOf(midia: MidiaKind | null): { readonly midia?: MidiaKind } {
  return midia === null ? {} : { midia }
}

/** Only ends that the engine did not decide. The farewell of a person is a message of the bot behind the end. */
function endOf(
  { finalizadaEm, motivoFim }: StoredConversa,
  mensagens: readonly StoredMensagem[],
): Extract<ReplayItem, { tipo: 'fim' }> | null {
  if (finalizadaEm === null) return null
  const em = finalizadaEm.getTime()
  switch (motivoFim) {
    case 'atendente': {
      const said = mensagens.some(({ origem, criadaEm }) => origem === 'bot' && criadaEm.getTime() >= em)
      return { tipo: 'fim', em, como: said ? 'comDespedida' : 'semDespedida' }
    }
    case 'inatividade':
      return { tipo: 'fim', em, como: 'silencio' }
    case 'devolvida':
      return { tipo: 'fim', em, como: 'devolvida' }
    case null:
    default:
      return null
  }
}

const toolsSchema = z.array(z.object({ nome: z.string(), pedido: z.string(), resultado: z.string() }))
const transferSchema = z.object({ setor: z.string() })

/** A refused call has a result. */
const isTransfer = ({ nome, resultado }: z.output<typeof toolsSchema>[number]): boolean =>
  nome === 'transferir_para_setor' && resultado === ''

/** Null: the answer called no person. */
function transferredSetor(ferramentas: unknown): string | null {
  const tools = toolsSchema.safeParse(ferramentas)
  const call = tools.success ? tools.data.findLast(isTransfer) : undefined
  if (call === undefined) return null
  try {
    const parsed = transferSchema.safeParse(JSON.parse(call.pedido))
    return parsed.success ? parsed.data.setor : null
  } catch {
    return null
  }
}

const KEPT_MAX = 20_000

const listKept = manyRows(
  'ensaio: list kept answers',
  z.object({ pergunta: z.string(), resposta: z.string(), ferramentas: z.unknown(), retida: z.boolean() }),
  sql`select dados ->> 'pergunta' as pergunta, dados ->> 'resposta' as resposta, dados -> 'ferramentas' as ferramentas,
        coalesce(dados ->> 'retida', 'false') = 'true' as retida
      from respostas_ia where conta_id = ${contaId} order by mensagem_id desc limit ${value('limit', 'int')}`,
)

/** The newest kept answer to each question. */
export async function readKeptAnswers(tx: Tx, contaId: string): Promise<ReadonlyMap<string, IaResult>> {
  const kept = new Map<string, IaResult>()
  for (const { pergunta, resposta, ferramentas, retida } of await listKept(tx, { contaId, limit: KEPT_MAX })) {
    const question = foldQuestion(pergunta)
    if (question === '' || kept.has(question)) continue
    const setor = transferredSetor(ferramentas)
    const said: IaResult = retida ? WITHHELD : { tipo: 'texto', texto: resposta }
    kept.set(question, setor === null ? said : { tipo: 'transferir', setor })
  }
  return kept
}
