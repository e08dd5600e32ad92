import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { insertLogs, type NewLog } from '#modules/logs/index.ts'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { addUsos, type IaUsage, insertRespostas, type RespostaOfConta } from './repository.ts'

export interface RecordRespostaInput {
  readonly contaId: string
  readonly request: AiRequest
  readonly answer: AiAnswer
  /** Mensagem sent with the answer. Null if the answer failed or arrived too late. */
  readonly mensagem: { readonly id: string; readonly texto: string } | null
  readonly now: Date
  readonly day: string
}

/**
 * Stores the usage of each question and, if it was answered with a mensagem, the details of the answer. Notices of
 * the adapter become log lines of the conta.
 */
export async function recordRespostasIa(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'realtime'>,
  answered: readonly RecordRespostaInput[],
): Promise<void> {
  const logs = answered.flatMap(({ contaId, answer }) => logsOf(answer).map((line) => ({ ...line, contaId })))
  await Promise.all([
    insertLogs(tx, deps, logs),
    addUsos(tx, answered.flatMap(usosOf)),
    insertRespostas(tx, answered.flatMap(respostasOf)),
  ])
}

/** No element when the provider was not asked. */
function usosOf({ contaId, day, answer }: RecordRespostaInput): IaUsage[] {
  if (answer.registro === undefined) return []
  const { tokensEntrada, tokensSaida } = answer.registro
  return [{ contaId, day, falhas: answer.tipo === 'falha' ? 1 : 0, tokensEntrada, tokensSaida }]
}

/** No element when the answer failed or arrived too late. */
function respostasOf({ contaId, request, answer, mensagem, now }: RecordRespostaInput): RespostaOfConta[] {
  const { registro } = answer
  if (registro === undefined || mensagem === null) return []
  const { modelo, ferramentas, tokensEntrada, tokensSaida, duracaoMs } = registro
  const resposta = {
    mensagemId: mensagem.id,
    modelo,
    temperatura: request.temperatura,
    instrucoes: request.instrucoes,
    historico: [...request.historico],
    pergunta: request.pergunta,
    resposta: mensagem.texto,
    ferramentas: ferramentas.map(({ nome, pedido: args, resultado }) => ({ nome, pedido: args, resultado })),
    tokensEntrada,
    tokensSaida,
    duracaoMs,
    criadaEm: now.toISOString(),
  }
  return [{ contaId, resposta }]
}

const CIRCUIT_LOGS: Readonly<Record<NonNullable<AiAnswer['disjuntor']>, NewLog>> = {
  abriu: {
    tipo: 'error',
    mensagem:
      'O Gemini falhou 5 vezes seguidas: por alguns instantes a IA não responde e ninguém espera por ela. Ela volta sozinha.',
  },
  fechou: { tipo: 'success', mensagem: 'O Gemini voltou a responder. A IA está atendendo de novo.' },
}

function logsOf({ avisos = [], disjuntor }: AiAnswer): NewLog[] {
  const doDisjuntor = disjuntor === undefined ? [] : [CIRCUIT_LOGS[disjuntor]]
  return [...doDisjuntor, ...avisos.map((mensagem): NewLog => ({ tipo: 'warning', mensagem }))]
}
