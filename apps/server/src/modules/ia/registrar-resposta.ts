import type { Tx } from '#db/transaction.ts'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { insertResposta, somarUso } from './repository.ts'

export interface RegistrarInput {
  readonly pedido: AiRequest
  readonly resposta: AiAnswer
  /** What the customer was told because of it; null when nothing was: the answer failed or came too late. */
  readonly mensagem: { readonly id: string; readonly texto: string } | null
  readonly agora: Date
  /** The account's local day. */
  readonly dia: string
}

/** Writes down what a question cost and, when it was answered, what the answer was made of. Not asked, nothing. */
export async function registrarRespostaIa(tx: Tx, contaId: string, input: RegistrarInput): Promise<void> {
  const { pedido, resposta, mensagem, agora, dia } = input
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
