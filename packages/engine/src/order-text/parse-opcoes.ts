import type { Grupo } from '@balcao/contract/entities/produto'
import { wordsOf } from '#rules/text.ts'
import type { OrderProduto } from './acts.ts'
import { type CatalogueIndex, catalogueIndex, type KnownToken, knownTokens } from './catalogue-index.ts'
import { FILLERS, HALVES, LINKS, ORDER_VERBS, PACKAGES } from './lexicon.ts'
import { matchOption } from './match.ts'
import { stemOf } from './stem.ts'
import { tokenize } from './tokens.ts'

/** Answers to the question about one group of options. */

const TEXT_MAX = 500
const NONE = new Set(
  [
    'sem',
    'nenhum',
    'nenhuma',
    'nada',
    'nao',
    'nao quero',
    'nao precisa',
    'sem nada',
    'nao obrigado',
    'nao obrigada',
  ].concat([...['pode ser sem', 'quero sem', 'nenhum deles', 'nenhuma delas', 'sem adicional', 'sem adicionais']]),
)
const BOTH = new Set(['os dois', 'as duas', 'ambos', 'ambas', 'os 2', 'as 2'])
const ALL = new Set(['todos', 'todas', 'tudo', 'completo', 'completa'])
const SIGNS_OF_NUMBERS = /^[\d\s,./e+&-]+$/i
const POSITION_WORDS = new Set(['numero', 'n', 'no', 'opcao', 'outra', 'outro', 'e'])

/**
 * `opcoes` are ids in the order said, also beside a problem. `trechos` are the words that fit no option, or several.
 * `indisponivel`: an option that is not sold now.
 */
export type OptionAnswer =
  | { readonly tipo: 'escolhidas'; readonly opcoes: readonly string[] }
  | { readonly tipo: 'naoEntendi'; readonly opcoes: readonly string[]; readonly trechos: readonly string[] }
  | { readonly tipo: 'indisponivel'; readonly opcoes: readonly string[]; readonly opcaoId: string }
  | { readonly tipo: 'demais' | 'poucas'; readonly opcoes: readonly string[] }

interface Answer {
  readonly chosen: Set<string>
  readonly unknown: string[]
  missing: string | null
}

/**
 * Reads the chosen options by number or name: '1 e 3', 'metade calabresa metade portuguesa', 'sem'. Numbers count the
 * active options from 1.
 */
export function parseOpcoes(text: string, grupo: Grupo): OptionAnswer {
  const short = text.slice(0, TEXT_MAX)
  const words = wordsOf(short).join(' ')
  const whole = wholeAnswer(words, grupo)
  if (whole !== null) return checkCount(whole, grupo)
  const spaced = SIGNS_OF_NUMBERS.test(short) ? short.replace(/[,./&+-]/g, ' e ') : short
  const index = catalogueIndex(catalogueOf(grupo))
  const tokens = knownTokens(tokenize(spaced), index)
  const answer: Answer = { chosen: new Set(), unknown: [], missing: null }
  for (let at = 0; at < tokens.length;) at = readChoice(tokens, at, { answer, grupo, index })
  const opcoes = [...answer.chosen]
  if (answer.missing !== null) return { tipo: 'indisponivel', opcoes, opcaoId: answer.missing }
  if (opcoes.length === 0 && words === `sem ${wordsOf(grupo.nome).join(' ')}`) return checkCount([], grupo)
  if (answer.unknown.length > 0) return { tipo: 'naoEntendi', opcoes, trechos: answer.unknown }
  if (opcoes.length === 0) return { tipo: 'naoEntendi', opcoes, trechos: words === '' ? [] : [short.trim()] }
  return checkCount(opcoes, grupo)
}

/** Options of the answers 'sem', 'todos' and 'os dois'. */
function wholeAnswer(words: string, { opcoes }: Grupo): readonly string[] | null {
  if (NONE.has(words)) return []
  const active = opcoes.filter(({ ativa }) => ativa).map(({ id }) => id)
  return ALL.has(words) || (BOTH.has(words) && active.length === 2) ? active : null
}

function checkCount(opcoes: readonly string[], { minimo, maximo }: Grupo): OptionAnswer {
  if (opcoes.length > maximo) return { tipo: 'demais', opcoes }
  return { tipo: opcoes.length < minimo ? 'poucas' : 'escolhidas', opcoes }
}

const catalogues = new WeakMap<Grupo, readonly OrderProduto[]>()

/** A catalogue of one produto with this group. */
function catalogueOf(grupo: Grupo): readonly OrderProduto[] {
  const ready = catalogues.get(grupo)
  if (ready !== undefined) return ready
  const built = [{ id: '', nome: '', sinonimos: [], numero: 1, grupos: [grupo] }]
  catalogues.set(grupo, built)
  return built
}

interface Reader {
  readonly answer: Answer
  readonly grupo: Grupo
  readonly index: CatalogueIndex
}

function readChoice(tokens: readonly KnownToken[], at: number, reader: Reader): number {
  const { answer, index } = reader
  const token = tokens[at]
  if (token === undefined) return at + 1
  const match = matchOption(tokens, at, 0, index)
  if (match !== null) {
    if (match.option.ativa) answer.chosen.add(match.option.opcaoId)
    else answer.missing ??= match.option.opcaoId
    return match.end
  }
  if (token.kind === 'number') return readPosition(tokens, at, reader)
  if (token.word === 'sem' || token.word === 'nao') {
    answer.unknown.push(
      tokens
        .slice(at, at + 2)
        .map(({ raw }) => raw)
        .join(' '),
    )
    return at + 2
  }
  if (token.kind === 'word' && !isSkipped(token, reader)) answer.unknown.push(token.raw)
  return at + 1
}

const SKIPPED = [FILLERS, LINKS, HALVES, ORDER_VERBS, PACKAGES, POSITION_WORDS]

const namesGroup = (token: KnownToken | undefined, { grupo }: Reader): boolean =>
  wordsOf(grupo.nome).some((word) => stemOf(word) === token?.stem)

const isSkipped = (token: KnownToken, reader: Reader): boolean =>
  namesGroup(token, reader) || (token.ids.length === 0 && SKIPPED.some((set) => set.has(token.word)))

/** A position, or the quantity of the option behind it: '1 calabresa'. */
function readPosition(tokens: readonly KnownToken[], at: number, reader: Reader): number {
  const { answer, grupo, index } = reader
  const [number, after] = tokens.slice(at)
  if (number === undefined || namesGroup(after, reader)) return at + 1
  const option = grupo.opcoes.filter(({ ativa }) => ativa)[number.value - 1]
  const isJoint = after !== undefined && (HALVES.has(after.word) || LINKS.has(after.word))
  const next = matchOption(tokens, at + (isJoint ? 2 : 1), 0, index)
  const isCount = next !== null && (number.value === 1 || next.option.opcaoId === option?.id)
  if (next === null && option !== undefined) answer.chosen.add(option.id)
  else if (!isCount) answer.unknown.push(number.raw)
  return at + 1
}
