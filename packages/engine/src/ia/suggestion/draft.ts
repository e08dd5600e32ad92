import type { Trecho } from '@balcao/contract/entities/fonte'
import type { FonteDaSugestao } from '@balcao/contract/entities/sugestao'
import type { BotContext } from '#context.ts'
import { cleanResposta } from '#ia/resposta.ts'
import { buildSystemPrompt, type SystemPromptInput } from '#ia/system-prompt.ts'
import { describeHorario } from '#rules/horario.ts'
import { formatReais } from '#rules/loja.ts'
import { wordsOf } from '#rules/text.ts'

/** The model writes it instead of a draft when the shop said nothing about the question. */
const NOTHING = 'SEM_SUGESTAO'

const DRAFT_RULES = [
  'Agora uma pessoa da empresa atende este cliente. Escreva o rascunho da próxima mensagem dela, pronto para enviar.',
  'Ela lê, corrige e envia o rascunho. Não fale dela, não se apresente e não ofereça chamar um atendente.',
  `Se os dados e as orientações da empresa não respondem ao cliente, escreva apenas ${NOTHING}`,
]

/** The system prompt of a customer's question, for a draft that a person of the shop edits and sends. */
export function buildDraftPrompt(input: SystemPromptInput): string {
  return `${buildSystemPrompt(input)}\n\n${DRAFT_RULES.map((rule) => `- ${rule}`).join('\n')}`
}

/** Null when the model found nothing to say. */
export function readSuggestion(raw: string): string | null {
  const draft = cleanResposta(raw)
  return draft === '' || draft.includes(NOTHING) ? null : draft
}

export interface DraftFacts {
  readonly contexto: Pick<BotContext, 'produtos' | 'config'>
  readonly trechos: readonly Trecho[]
}

const SOURCES_MAX = 6
/** Different words that a draft shares with a text of the shop. Shorter words connect others. */
const SHARED_WORDS = 3
const LETTERS_MIN = 4

/** The products, hours, instructions and sources of the shop that have the words of a draft. Empty: nothing supports it. */
export function sourcesOf(draft: string, { contexto, trechos }: DraftFacts): FonteDaSugestao[] {
  const said = new Set(wordsOf(draft).map(stemOf))
  const { atendimento, ia } = contexto.config
  const produtos = contexto.produtos.filter(({ nome }) => namesAll(said, nome))
  const found: FonteDaSugestao[] = [
    ...produtos.map(({ nome, preco }) => ({ titulo: `${nome}, ${formatReais(preco)}` })),
    ...(tellsTimes(draft, describeHorario(atendimento.horario)) ? [{ titulo: 'Horário de atendimento' }] : []),
    ...trechos.filter(({ trecho }) => sharesWords(said, trecho)).map(({ titulo, fonteId }) => ({ titulo, fonteId })),
    ...(sharesWords(said, ia.promptTreinamento) ? [{ titulo: 'Orientações da aba IA' }] : []),
  ]
  const keyOf = ({ titulo, fonteId }: FonteDaSugestao): string => fonteId ?? titulo
  return [...new Map(found.map((fonte) => [keyOf(fonte), fonte])).values()].slice(0, SOURCES_MAX)
}

/** Without the plural `s`: 'canecas' and 'caneca' are one word. */
const stemOf = (word: string): string => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word)

function namesAll(said: ReadonlySet<string>, nome: string): boolean {
  const words = wordsOf(nome).map(stemOf)
  return words.length > 0 && words.every((word) => said.has(word))
}

function sharesWords(said: ReadonlySet<string>, text: string): boolean {
  const shared = new Set(
    wordsOf(text)
      .map(stemOf)
      .filter((word) => word.length >= LETTERS_MIN && said.has(word)),
  )
  return shared.size >= SHARED_WORDS
}

const TIME = /\b(\d{1,2})(?:h(\d{2})?|:(\d{2}))/g

const timesOf = (text: string): string[] =>
  [...text.matchAll(TIME)].map(([, hour = '', minute, second]) => `${Number(hour)}:${minute ?? second ?? '00'}`)

/** True if the draft names an hour of the opening hours. */
function tellsTimes(draft: string, horario: string): boolean {
  const known = new Set(timesOf(horario))
  return timesOf(draft).some((time) => known.has(time))
}
