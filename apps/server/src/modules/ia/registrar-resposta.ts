import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { insertLog, type NovoLog } from '#modules/logs/index.ts'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { insertResposta, somarUso } from './repository.ts'

export interface RegistrarInput {
  readonly pedido: AiRequest
  readonly resposta: AiAnswer
  /** Mensagem sent with the answer. Null if the answer failed or arrived too late. */
  readonly mensagem: { readonly id: string; readonly texto: string } | null
  readonly agora: Date
  readonly dia: string
}

/**
 * Stores the usage of a question and, if it was answered with a mensagem, the details of the answer. Notices of the
 * adapter become log lines of the conta.
 */
export async function registrarRespostaIa(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'realtime'>,
  contaId: string,
  input: RegistrarInput,
): Promise<void> {
  const { pedido, resposta, mensagem, agora, dia } = input
  for (const linha of linhasDe(resposta)) await insertLog(tx, deps, contaId, linha)
  const { registro } = resposta
  if (registro === undefined) return
  const { tokensEntrada, tokensSaida } = registro
  const falhas = resposta.tipo === 'falha' ? 1 : 0
  await somarUso(tx, contaId, dia, { perguntas: 1, falhas, tokensEntrada, tokensSaida })
  if (mensagem === null) return
  await insertResposta(tx, contaId, {
    mensagemId: mensagem.id,
    modelo: registro.modelo,
    temperatura: pedido.temperatura,
    instrucoes: pedido.instrucoes,
    historico: [...pedido.historico],
    pergunta: pedido.pergunta,
    resposta: mensagem.texto,
    ferramentas: registro.ferramentas.map(({ nome, pedido: argumentos, resultado }) => ({
      nome,
      pedido: argumentos,
      resultado,
    })),
    tokensEntrada,
    tokensSaida,
    duracaoMs: registro.duracaoMs,
    criadaEm: agora.toISOString(),
  })
}

const DO_DISJUNTOR: Readonly<Record<NonNullable<AiAnswer['disjuntor']>, NovoLog>> = {
  abriu: {
    tipo: 'error',
    mensagem:
      'O Gemini falhou 5 vezes seguidas: por alguns instantes a IA não responde e ninguém espera por ela. Ela volta sozinha.',
  },
  fechou: { tipo: 'success', mensagem: 'O Gemini voltou a responder. A IA está atendendo de novo.' },
}

function linhasDe({ avisos = [], disjuntor }: AiAnswer): NovoLog[] {
  const doDisjuntor = disjuntor === undefined ? [] : [DO_DISJUNTOR[disjuntor]]
  return [...doDisjuntor, ...avisos.map((mensagem): NovoLog => ({ tipo: 'warning', mensagem }))]
}
