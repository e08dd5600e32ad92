import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { insertLog, type NewLog } from '#modules/logs/index.ts'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { insertResposta, addUso } from './repository.ts'

export interface RecordRespostaInput {
  readonly request: AiRequest
  readonly answer: AiAnswer
  /** Mensagem sent with the answer. Null if the answer failed or arrived too late. */
  readonly mensagem: { readonly id: string; readonly texto: string } | null
  readonly now: Date
  readonly day: string
}

/**
 * Stores the usage of a question and, if it was answered with a mensagem, the details of the answer. Notices of the
 * adapter become log lines of the conta.
 */
export async function recordRespostaIa(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'realtime'>,
  contaId: string,
  input: RecordRespostaInput,
): Promise<void> {
  const { request, answer, mensagem, now, day } = input
  for (const line of logsOf(answer)) await insertLog(tx, deps, contaId, line)
  const { registro } = answer
  if (registro === undefined) return
  const { tokensEntrada, tokensSaida } = registro
  const falhas = answer.tipo === 'falha' ? 1 : 0
  await addUso(tx, contaId, day, { perguntas: 1, falhas, tokensEntrada, tokensSaida })
  if (mensagem === null) return
  await insertResposta(tx, contaId, {
    mensagemId: mensagem.id,
    modelo: registro.modelo,
    temperatura: request.temperatura,
    instrucoes: request.instrucoes,
    historico: [...request.historico],
    pergunta: request.pergunta,
    resposta: mensagem.texto,
    ferramentas: registro.ferramentas.map(({ nome, pedido: args, resultado }) => ({
      nome,
      pedido: args,
      resultado,
    })),
    tokensEntrada,
    tokensSaida,
    duracaoMs: registro.duracaoMs,
    criadaEm: now.toISOString(),
  })
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
