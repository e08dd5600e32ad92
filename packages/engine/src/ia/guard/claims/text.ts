import { wordsOf } from '#rules/text.ts'
import { stemOf } from '#order-text/stem.ts'

/** Forms in which answers and the texts of the shop are compared. */

export interface GuardText {
  /** Without invisible characters and marks of WhatsApp. */
  readonly shown: string
  /** Lower case without accents. Every character stands where `shown` has it. */
  readonly folded: string
}

const HIDDEN = /[\p{Cf}\p{M}]/gu
const CONTROLS = /\p{Cc}/gu
const MATHEMATICAL_DIGITS = /[\u{1d7ce}-\u{1d7ff}]/gu
const DASHES = /[\u2010-\u2015\u2212]/
const folds = new Map<string, string>()

export function readGuardText(text: string): GuardText {
  const shown = text
    .toWellFormed()
    .replace(HIDDEN, '')
    .replace(CONTROLS, (sign) => (sign === '\n' ? sign : ' '))
    .replace(MATHEMATICAL_DIGITS, (sign) => sign.normalize('NFKD'))
    .replace(/(?<=\d)\*(?=\d)/g, 'x')
    .replace(/[*`~]/g, '')
  let folded = ''
  for (let at = 0; at < shown.length; at += 1) folded += foldUnit(shown.charAt(at))
  return { shown, folded }
}

/** Returns one character for one UTF-16 unit. */
function foldUnit(unit: string): string {
  const ready = folds.get(unit)
  if (ready !== undefined) return ready
  const simple = unit.normalize('NFKD').replace(HIDDEN, '').toLowerCase()
  const fresh = DASHES.test(unit) ? '-' : (digitOf(unit) ?? (simple === '' ? ' ' : simple.charAt(0)))
  folds.set(unit, fresh)
  return fresh
}

/** The value of a digit of any script. Their tens begin behind a character that is no digit, or ten further. */
function digitOf(unit: string): string | null {
  if (!/\p{Nd}/u.test(unit)) return null
  let before = 0
  while (before < 30 && /\p{Nd}/u.test(String.fromCodePoint(unit.charCodeAt(0) - before - 1))) before += 1
  return String(before % 10)
}

const GENERIC = new Set(
  `a o os as um uma uns umas de do da dos das no na nos nas em com sem por para pra pelo pela ao aos e ou que se ja so
  mas mais muito bem sim nao ola oi voce voces seu sua seus suas nosso nossa nossos nossas este esta esse essa isso isto
  ele ela eles elas aqui la ai tem temos ter tenho ha e sao esta estao ser fica ficam ficou sai saem custa custam preco
  precos valor valores total reais real unidade unidades cada apenas hoje agora entao tudo todo toda todos todas
  posso pode podem quer quiser gostaria deseja ajudar algo outra outro mesmo tambem ate quando como qual quais quanto
  quantos dia dias hora horas minuto minutos min h loja momento favor obrigado obrigada claro perfeito otimo certo
  maximo leva levam demora demoram dura depois nesse nessa neste nesta partir apartir r rs x g kg ml`.split(/\s+/),
)

/** Customers and shops call a delivery by several names. */
const SYNONYMS = new Map(
  ['chega', 'chegam', 'chegar', 'chegamos', 'frete', 'delivery', 'motoboy'].map((word) => [word, 'entreg'] as const),
)

const CACHED_MAX = 10_000
const CACHED_LENGTH_MAX = 200
const topics = new Map<string, readonly string[]>()

/** Stems of the words that say what a text is about. Cached, because names and sentences repeat. */
export function topicOf(text: string): readonly string[] {
  const ready = topics.get(text)
  if (ready !== undefined) return ready
  const fresh = readTopic(text)
  if (topics.size >= CACHED_MAX) topics.clear()
  if (text.length <= CACHED_LENGTH_MAX) topics.set(text, fresh)
  return fresh
}

function readTopic(text: string): readonly string[] {
  return wordsOf(text.replaceAll(/(?<![\p{L}\p{N}])(x)-(\p{L}{3,})/giu, '$1$2 $2'))
    .filter((word) => !GENERIC.has(word) && (word.length > 2 || /\d/.test(word)) && !/^\d+h?$/.test(word))
    .map((word) => SYNONYMS.get(word) ?? shorten(stemOf(word)))
}

const ENDING = /(?:amos?|emos?|imos?|ando|endo|indo|adas?|ados?|ar|er|ir|[aeo])$/
const STEM_MIN = 4

/** 'entrega', 'entregar' and 'entregamos' are one topic. */
function shorten(stem: string): string {
  if (!/^[a-z]+$/.test(stem)) return stem
  const root = stem.replace(ENDING, '')
  return (root.length < STEM_MIN ? stem : root).slice(0, 6)
}
