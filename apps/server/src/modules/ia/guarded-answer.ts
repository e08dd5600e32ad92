import type { Afirmacao } from '@balcao/contract/entities/resposta-ia'
import { checkAnswer } from '@balcao/engine/ia/guard/check-answer'
import { correctionFor, unsupportedKinds } from '@balcao/engine/ia/guard/reason'
import type { Evidence, GuardVerdict } from '@balcao/engine/ia/guard/types'
import { cleanResposta } from '@balcao/engine/ia/resposta'
import type { Ai, AiAnswer, AiCallRecord, AiRequest } from '#ports/ai.ts'

/** An answer that must not be sent. */
interface WithheldAnswer extends Pick<AiAnswer, 'registro' | 'avisos' | 'disjuntor'> {
  readonly tipo: 'retida'
  /** As the model wrote it, for the owner. */
  readonly texto: string
  /** Kinds of the statements without support, in Portuguese. */
  readonly motivo: string
}

export type GuardedAnswer = (AiAnswer | WithheldAnswer) & {
  readonly afirmacoes?: readonly Afirmacao[]
  /** Instruction that the model got with the second question. */
  readonly correcao?: string
}

export type GuardFacts = Pick<Evidence, 'contexto' | 'agora'>

/**
 * Asks the model and checks the answer. With a statement that the shop never made the model is asked a second time,
 * with the reason. The costs of both questions are added. Never throws.
 */
export async function askGuarded(
  ai: Ai,
  request: AiRequest,
  facts: GuardFacts,
  signal?: AbortSignal,
): Promise<GuardedAnswer> {
  const first = await ai.answer(request, signal)
  const text = textOf(first)
  if (text === '') return first
  const verdict = check(text, first, request, facts)
  if (!verdict.retida) return { ...first, afirmacoes: verdict.afirmacoes }
  const correcao = correctionFor(verdict)
  if (signal?.aborted === true) return withheld(text, first, verdict, correcao)
  const second = joined(first, await ai.answer(corrected(request, correcao), signal))
  // The second question failed: the first answer is still one that must not be sent.
  if (second.tipo === 'falha') return withheld(text, second, verdict, correcao)
  const secondText = textOf(second)
  if (secondText === '') return { ...second, correcao }
  const secondVerdict = check(secondText, second, request, facts)
  return secondVerdict.retida
    ? withheld(secondText, second, secondVerdict, correcao)
    : { ...second, correcao, afirmacoes: secondVerdict.afirmacoes }
}

/** The text that would be sent. Empty: none. */
const textOf = (answer: AiAnswer): string => (answer.tipo === 'texto' ? cleanResposta(answer.texto) : '')

function check(text: string, { registro }: AiAnswer, request: AiRequest, facts: GuardFacts): GuardVerdict {
  const { trechos, pergunta } = request
  return checkAnswer(text, { ...facts, trechos, pergunta, ferramentas: registro?.ferramentas ?? [] })
}

function withheld(
  texto: string,
  { registro, avisos, disjuntor }: AiAnswer,
  verdict: GuardVerdict,
  correcao: string,
): GuardedAnswer {
  return {
    ...{ tipo: 'retida', texto, motivo: unsupportedKinds(verdict), correcao },
    afirmacoes: verdict.afirmacoes,
    ...(registro === undefined ? {} : { registro }),
    ...(avisos === undefined ? {} : { avisos }),
    ...(disjuntor === undefined ? {} : { disjuntor }),
  }
}

/** The correction is the last instruction. Files are read again with it. */
function corrected(request: AiRequest, correcao: string): AiRequest {
  const { withFiles } = request
  const instrucoes = `${request.instrucoes}\n\n${correcao}`
  if (withFiles === undefined) return { ...request, instrucoes }
  return { ...request, instrucoes, withFiles: async () => ({ ...(await withFiles()), instrucoes }) }
}

/** The second answer with the cost of both. */
function joined(first: AiAnswer, second: AiAnswer): AiAnswer {
  const registro = joinedRecord(first.registro, second.registro)
  const avisos = [...new Set([...(first.avisos ?? []), ...(second.avisos ?? [])])]
  return {
    ...second,
    ...(registro === undefined ? {} : { registro }),
    ...(avisos.length === 0 ? {} : { avisos }),
  }
}

function joinedRecord(first: AiCallRecord | undefined, second: AiCallRecord | undefined): AiCallRecord | undefined {
  if (first === undefined || second === undefined) return second ?? first
  return {
    ...second,
    ferramentas: [...first.ferramentas, ...second.ferramentas],
    tokensEntrada: first.tokensEntrada + second.tokensEntrada,
    tokensSaida: first.tokensSaida + second.tokensSaida,
    duracaoMs: first.duracaoMs + second.duracaoMs,
  }
}
