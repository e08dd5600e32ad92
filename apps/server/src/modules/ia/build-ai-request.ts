import type { BotContext } from '@balcao/engine/context'
import type { IaConversa } from '@balcao/engine/ia/conversa'
import { searchProdutos } from '@balcao/engine/ia/produtos'
import { buildSystemPrompt } from '@balcao/engine/ia/system-prompt'
import type { AiRequest, AiMidia } from '#ports/ai.ts'

export interface AiRequestInput extends IaConversa {
  readonly contaId: string
  /** Null for a test by the owner. */
  readonly contatoId: string | null
  readonly contexto: BotContext
  readonly nomeCliente: string
  readonly agora: Date
  readonly midias: readonly AiMidia[]
}

/** Builds the provider request for customer questions and tests. `historico` and `pergunta` must be masked already. */
export function buildAiRequest(input: AiRequestInput): AiRequest {
  const { contaId, contatoId, contexto, nomeCliente, agora, historico, pergunta, midias } = input
  const { ia, gemini, atendimento } = contexto.config
  const { produtos } = contexto
  return {
    contaId,
    contatoId,
    apiKey: gemini.apiKey,
    modelo: ia.modeloGemini,
    temperatura: ia.temperaturaResposta,
    instrucoes: buildSystemPrompt({ contexto, nomeCliente, agora: agora.getTime() }),
    historico,
    pergunta,
    midias,
    setores: atendimento.setores.filter(({ ativo }) => ativo).map(({ id, nome }) => ({ id, nome })),
    procurarProdutos: produtos.length === 0 ? null : (search) => searchProdutos(produtos, search),
  }
}
