import * as z from 'zod/mini'
import { type RespostaIa, respostaIaSchema, type UsoIa } from '@balcao/contract/entities/resposta-ia'
import { FATOS_PROVEDOR, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import { wholeCents, costOf, priceOf } from '@balcao/engine/ia/price'
import type { Tx } from '#db/transaction.ts'
import { insertLogs, type NewLog } from '#modules/logs/index.ts'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import type { GuardedAnswer } from './guarded-answer.ts'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import { addUsos, type BudgetDeps, type IaUsage, readMonth } from './budget.ts'

export interface RecordRespostaInput {
  readonly contaId: string
  readonly request: AiRequest
  readonly answer: GuardedAnswer
  /** Mensagem sent with the answer. Null if the answer failed or arrived too late. */
  readonly mensagem: { readonly id: string; readonly texto: string } | null
  readonly now: Date
  readonly day: string
  /** Cents of the month that the conta allows. Null: no budget. */
  readonly orcamento: number | null
}

export async function recordRespostasIa(
  tx: Tx,
  deps: BudgetDeps,
  answered: readonly RecordRespostaInput[],
): Promise<void> {
  const logs = answered.flatMap(({ contaId, request, answer }) =>
    logsOf(request.provedor, answer).map((line) => ({ ...line, contaId })),
  )
  await Promise.all([
    insertLogs(tx, deps, logs),
    addUsos(tx, deps, answered.flatMap(usosOf)),
    insertRespostas(tx, answered.flatMap(respostasOf)),
  ])
}

function usosOf({ contaId, day, request, answer, orcamento }: RecordRespostaInput): IaUsage[] {
  if (answer.registro === undefined) return []
  const { modelo, tokensEntrada, tokensSaida } = answer.registro
  const custo = costOf(priceOf(request.provedor, modelo, day), answer.registro)
  return [{ contaId, day, falhas: answer.tipo === 'falha' ? 1 : 0, tokensEntrada, tokensSaida, custo, orcamento }]
}

function respostasOf({ contaId, request, answer, mensagem, now }: RecordRespostaInput): RespostaOfConta[] {
  const { registro, afirmacoes = [], correcao } = answer
  if (registro === undefined || mensagem === null) return []
  const { modelo, ferramentas, tokensEntrada, tokensSaida, duracaoMs } = registro
  const resposta = {
    mensagemId: mensagem.id,
    modelo,
    temperatura: request.temperatura,
    instrucoes: correcao === undefined ? request.instrucoes : `${request.instrucoes}\n\n${correcao}`,
    historico: [...request.historico],
    pergunta: request.pergunta,
    resposta: answer.tipo === 'retida' ? answer.texto : mensagem.texto,
    ...(request.trechos.length === 0 ? {} : { trechos: [...request.trechos] }),
    ferramentas: ferramentas.map(({ nome, pedido: args, resultado }) => ({ nome, pedido: args, resultado })),
    tokensEntrada,
    tokensSaida,
    duracaoMs,
    criadaEm: now.toISOString(),
    afirmacoes: [...afirmacoes],
    retida: answer.tipo === 'retida',
  }
  return [{ contaId, resposta }]
}

function circuitLog(provedor: ProvedorIa, disjuntor: NonNullable<AiAnswer['disjuntor']>): NewLog {
  const { nome, artigo } = FATOS_PROVEDOR[provedor]
  const quem = `${artigo.toUpperCase()} ${nome}`
  if (disjuntor === 'fechou') {
    return { tipo: 'success', mensagem: `${quem} voltou a responder. A IA está atendendo de novo.` }
  }
  const mensagem = `${quem} falhou 5 vezes seguidas: por alguns instantes a IA não responde e ninguém espera por ela. Ela volta sozinha.`
  return { tipo: 'error', mensagem }
}

function logsOf(provedor: ProvedorIa, { avisos = [], disjuntor }: GuardedAnswer): NewLog[] {
  const doDisjuntor = disjuntor === undefined ? [] : [circuitLog(provedor, disjuntor)]
  return [...doDisjuntor, ...avisos.map((mensagem): NewLog => ({ tipo: 'warning', mensagem }))]
}

const listDays = manyRows(
  'ia: list days',
  z.object({ dia: z.string(), perguntas: z.number(), tokensEntrada: z.number(), tokensSaida: z.number() }),
  sql`select dia, perguntas, tokens_entrada, tokens_saida from uso_ia
    where conta_id = ${contaId} and perguntas > 0 order by dia desc limit 30`,
)

interface UsoAt {
  readonly today: string
  readonly now: Date
  readonly orcamento: number | null
}

export async function readUso(tx: Tx, contaId: string, { today, now, orcamento }: UsoAt): Promise<UsoIa> {
  const dias = await listDays(tx, { contaId })
  const { perguntas = 0, tokensEntrada = 0, tokensSaida = 0 } = dias.find(({ dia }) => dia === today) ?? {}
  const { mes, cost } = await readMonth(tx, contaId, now)
  const month = { mes, custoCentavos: wholeCents(cost), orcamentoCentavos: orcamento }
  return { hoje: { perguntas, tokensEntrada, tokensSaida }, dias, mes: month }
}

export interface RespostaOfConta {
  readonly contaId: string
  readonly resposta: RespostaIa
}

const insertRows = noRows(
  'ia-respostas',
  sql`insert into respostas_ia (conta_id, mensagem_id, dados, criada_em, fontes)
    select conta_id, mensagem_id, dados, criada_em, string_to_array(nullif(fontes, ''), ',')::uuid[]
    from ${columns('i', { contaId: 'uuid', mensagemId: 'uuid', dados: 'jsonb', criadaEm: 'timestamptz', fontes: 'text' })}`,
  { prepared: true },
)

export async function insertRespostas(tx: Tx, respostas: readonly RespostaOfConta[]): Promise<void> {
  if (respostas.length === 0) return
  const i = respostas.map(({ contaId, resposta }) => {
    const { mensagemId, criadaEm } = resposta
    const fontes = [...new Set((resposta.trechos ?? []).map(({ fonteId }) => fonteId))].join(',')
    return { contaId, mensagemId, dados: resposta, criadaEm: new Date(criadaEm), fontes }
  })
  await insertRows(tx, { i })
}

const findRow = oneRow(
  'ia: find resposta',
  z.object({ dados: z.unknown() }),
  sql`select dados from respostas_ia where conta_id = ${contaId} and mensagem_id = ${value('mensagemId', 'uuid')}
    and criada_em >= ${value('since', 'timestamptz')}`,
)

export async function findResposta(
  tx: Tx,
  contaId: string,
  mensagemId: string,
  since: Date,
): Promise<RespostaIa | null> {
  const row = await findRow(tx, { contaId, mensagemId, since })
  return row === null ? null : respostaIaSchema.parse(row.dados)
}

/** Kept answers hold the pieces that were sent along. */
export const deleteRespostasOfFonte = noRows(
  'ia: delete respostas of source',
  sql`delete from respostas_ia where conta_id = ${contaId} and ${value('id', 'uuid')} = any (fontes)`,
)

export const deleteOldRespostas = noRows(
  'ia: delete old respostas',
  sql`delete from respostas_ia where conta_id = ${contaId} and mensagem_id = any (array(
      select mensagem_id from respostas_ia where conta_id = ${contaId} and mensagem_id < ${value('id', 'uuid')}
      order by mensagem_id limit 1000))`,
)
