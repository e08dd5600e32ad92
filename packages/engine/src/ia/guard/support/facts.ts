import type { Dia } from '@balcao/contract/constants'
import type { Afirmacao } from '@balcao/contract/entities/resposta-ia'
import type { BotContext } from '#context.ts'
import { formatReais } from '#rules/loja.ts'
import { longNumberKey, linkKey } from '../claims/addresses.ts'
import { countedNouns, type Counts } from '../claims/counts.ts'
import { findClaims } from '../claims/find-claims.ts'
import type { Claim } from '../types.ts'
import { readGuardText, topicOf } from '../claims/text.ts'
import { containsOrder } from './orders.ts'
import type { Evidence } from '../types.ts'

export type Support = NonNullable<Afirmacao['apoio']>

/** A claim of the shop itself. */
export interface Fact {
  readonly apoio: Support
  /** Content words of its sentence. Empty: unknown, so that it fits every topic. */
  readonly topics: ReadonlySet<string>
  /** Days that its sentence names. */
  readonly days: ReadonlySet<string>
  /** It holds only from a sum of money on. */
  readonly isConditional: boolean
  readonly counts: Counts
}

export type Facts = ReadonlyMap<string, readonly Fact[]>
type FactMap = Map<string, Fact[]>

interface TextSource extends Omit<Support, 'trecho'> {
  readonly texto: string
  /** Names the topic of all its sentences. */
  readonly titulo?: string
}

const TEXT_MAX = 20_000
const EXCERPT_MAX = 200
const SENTENCE_END = /\n|(?<=[.!?;])\s/
const CONDITION = /(?<![a-z])(?:acima|a partir|nas compras|minimo|mais de|superior)(?![a-z])/

const accountFacts = new WeakMap<object, Facts>()
const pieceFacts = new WeakMap<object, Facts>()

/** The facts of an evidence: those of the account, which are kept, and those of its pieces and tools. */
export function factsOf({ contexto, trechos, ferramentas }: Evidence): readonly Facts[] {
  return [
    cached(accountFacts, contexto, () => readAccount(contexto)),
    ...trechos.map((piece) =>
      cached(pieceFacts, piece, () => {
        const { fonteId: id, trecho: texto, titulo } = piece
        return readSources([{ tipo: 'fonte', id, titulo, texto: untilOrder(`${titulo}\n${texto}`) }])
      }),
    ),
    ...ferramentas.map((result) => cached(pieceFacts, result, () => readSources(toolSources(result)))),
  ]
}

function cached(store: WeakMap<object, Facts>, key: object, read: () => Facts): Facts {
  const ready = store.get(key)
  if (ready !== undefined) return ready
  const fresh = read()
  store.set(key, fresh)
  return fresh
}

function readAccount(contexto: Evidence['contexto']): Facts {
  const facts: FactMap = new Map()
  for (const source of configSources(contexto)) addSource(facts, source)
  for (const { id, nome: titulo, descricao, linkCheckout = '' } of contexto.produtos) {
    addSource(facts, { tipo: 'produto', id, titulo, texto: `${titulo}\n${untilOrder(descricao)}` })
    if (linkCheckout !== '')
      addFact(facts, `l:${linkKey(readGuardText(linkCheckout).folded)}`, knownFact('produto', linkCheckout, id))
  }
  addPix(facts, contexto.config.loja.pix.chave)
  return facts
}

function knownFact(tipo: Support['tipo'], trecho: string, id?: string): Fact {
  const apoio = { tipo, trecho, ...(id === undefined ? {} : { id }) }
  return { apoio, topics: new Set(), days: new Set(), isConditional: false, counts: new Map() }
}

function addPix(facts: FactMap, chave: string): void {
  if (chave === '') return
  const fact = knownFact('configuracao', 'Chave PIX')
  addFact(facts, `n:${longNumberKey(chave)}`, fact)
  addFact(facts, `e:${chave.toLowerCase()}`, fact)
}

function configSources({ config, empresa }: Pick<BotContext, 'config' | 'empresa'>): readonly TextSource[] {
  const { ia, menu, atendimento, loja, whatsapp } = config
  const texts = [
    ...[empresa, ia.promptTreinamento, ia.apresentacao, ...Object.values(ia.respostasPredefinidas)],
    ...[menu.menuPrincipal, ...Object.values(menu.mensagens)],
    ...[atendimento.semNinguem, atendimento.inatividade.aviso, whatsapp.respostaLigacao],
    ...[loja.pagina.descricao, ...Object.values(loja.mensagens)],
  ]
  const options = menu.opcoes.map(({ titulo, resposta: texto }): TextSource => ({
    tipo: 'configuracao',
    texto,
    titulo,
  }))
  return [...texts.map((texto): TextSource => ({ tipo: 'configuracao', texto })), ...options]
}

function readSources(sources: readonly TextSource[]): Facts {
  const facts: FactMap = new Map()
  for (const source of sources) addSource(facts, source)
  return facts
}

/** The sentences before the first one that gives orders to the model. An order mostly stands before its lie. */
function untilOrder(text: string): string {
  const sentences = text.slice(0, TEXT_MAX).split(SENTENCE_END)
  const end = sentences.findIndex(containsOrder)
  return (end === -1 ? sentences : sentences.slice(0, end)).join('\n')
}

function addSource(facts: FactMap, { texto, titulo = '', ...apoio }: TextSource): void {
  let before = ''
  const title = topicOf(titulo)
  for (const sentence of texto.slice(0, TEXT_MAX).split(SENTENCE_END)) {
    const read = readGuardText(sentence)
    const claims = findClaims(read)
    if (claims.length > 0) {
      const fact: Fact = {
        apoio: { ...apoio, trecho: sentence.trim().slice(0, EXCERPT_MAX).toWellFormed() },
        topics: topicsOf(title, before, sentence),
        days: new Set(claims.flatMap(dayKeys)),
        isConditional: CONDITION.test(read.folded),
        counts: countedNouns(read.folded),
      }
      for (const key of claims.flatMap(({ keys }) => keys)) addFact(facts, key, fact)
    }
    if (sentence.trim() !== '') before = sentence
  }
}

/** A short answer is about the question before it. */
function topicsOf(title: readonly string[], before: string, sentence: string): ReadonlySet<string> {
  const own = topicOf(sentence)
  return new Set([...title, ...own, ...(own.length <= 1 || before.trim().endsWith('?') ? topicOf(before) : [])])
}

function addFact(facts: FactMap, key: string, fact: Fact): void {
  const list = facts.get(key)
  if (list === undefined) facts.set(key, [fact])
  else list.push(fact)
}

export const dayKeys = ({ kind, keys }: Claim): readonly string[] =>
  kind === 'data' ? keys.filter((key) => key.startsWith('w:')) : []

export const weekdayKey = (dia: Dia): string => `w:${dia}`

/** Each object of a result is one statement. A result that is no JSON is a text. */
function toolSources({ nome: id, resultado }: Evidence['ferramentas'][number]): readonly TextSource[] {
  const statements = statementsOf(parseJson(resultado))
  const texts = statements.length === 0 ? [resultado] : statements
  return texts.filter((texto) => !containsOrder(texto)).map((texto) => ({ tipo: 'ferramenta', id, texto }))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const DEPTH_MAX = 6

function statementsOf(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return []
  const entries = Object.entries(value)
  const own = entries.flatMap(([name, inner]) => leafText(name, inner)).join(', ')
  const nested = entries.flatMap(([, inner]) => statementsOf(inner, depth + 1))
  return own === '' ? nested : [own, ...nested]
}

function leafText(name: string, value: unknown): string[] {
  if (typeof value === 'string') return [value.replaceAll(/\s+/g, ' ')]
  if (typeof value !== 'number') return []
  return [name.endsWith('entavos') ? formatReais(value / 100) : `${name} ${value}`]
}
