import ICAL from 'ical.js'
import { IMPORTACAO_LINHAS_MAXIMO } from '@balcao/contract/entities/contato'
import { AppError } from '#errors.ts'
import { tooManyRows } from './read-csv.ts'
import type { FileRow, RefusedRow } from './rows.ts'

const CARD_MAX = 65_536
const PROPERTIES_MAX = 1_000
const PARAMETERS_MAX = 100

interface CardText {
  readonly linha: number
  readonly lines: readonly string[]
}

/** Versions 2.1, 3.0 and 4.0. Throws `dadosInvalidos` above the limits, where the parser takes quadratic time. */
export function readVcards(text: string): (FileRow | RefusedRow)[] {
  const cards = splitCards(text)
  if (cards.length > IMPORTACAO_LINHAS_MAXIMO) throw tooManyRows()
  return cards.map(readCard)
}

/** Only these properties reach the parser. */
const USED = /^(VERSION|FN|N|TEL|ORG|CATEGORIES|NOTE)[;:]/i

function splitCards(text: string): CardText[] {
  const cards: CardText[] = []
  let open: CardReader | null = null
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const begins = isMark(line, 'BEGIN:VCARD')
    if (open !== null && (begins || isMark(line, 'END:VCARD'))) {
      cards.push(open.end())
      open = null
    }
    if (begins) open = new CardReader(index + 1)
    else open?.add(line)
  }
  if (open !== null) cards.push(open.end())
  return cards
}

function isMark(line: string, mark: string): boolean {
  return line.length < 2 * mark.length && line.trim().toUpperCase() === mark
}

class CardReader {
  readonly #linha: number
  readonly #lines: string[] = []
  #property: { readonly used: boolean; readonly quotedPrintable: boolean; readonly parts: string[] } | null = null
  #size = 0

  constructor(linha: number) {
    this.#linha = linha
  }

  /** A line that begins with a space continues the property, and so does each after a quoted-printable `=`. */
  add(line: string): void {
    const property = this.#property
    if (property !== null && /^[ \t]/.test(line)) this.#append(property.parts, line.slice(1))
    else if (property !== null && property.quotedPrintable && property.parts.at(-1)?.endsWith('=') === true) {
      property.parts.push(property.parts.pop()?.slice(0, -1) ?? '')
      this.#append(property.parts, line)
    } else this.#begin(line)
  }

  end(): CardText {
    this.#finish()
    return { linha: this.#linha, lines: this.#lines }
  }

  #begin(line: string): void {
    this.#finish()
    const content = line.slice(0, CARD_MAX + 1).replace(/^item\d+\./i, '')
    const used = USED.test(content)
    this.#property = { used, quotedPrintable: isQuotedPrintable(content), parts: [] }
    this.#append(this.#property.parts, content)
  }

  #append(parts: string[], text: string): void {
    // A skipped property keeps its last line only, which may end with `=`.
    if (this.#property?.used === true) this.#size += text.length
    else parts.length = 0
    parts.push(text)
    if (this.#size > CARD_MAX) throw tooLargeCard(this.#linha)
  }

  #finish(): void {
    const property = this.#property
    this.#property = null
    if (property === null || !property.used) return
    const line = property.parts.join('')
    const parameters = line.slice(0, line.indexOf(':')).split(';').length - 1
    this.#lines.push(line)
    if (parameters > PARAMETERS_MAX || this.#lines.length > PROPERTIES_MAX) throw tooLargeCard(this.#linha)
  }
}

function tooLargeCard(linha: number): AppError {
  return new AppError('dadosInvalidos', { erro: `O contato da linha ${linha} do arquivo é grande demais.` })
}

const isQuotedPrintable = (line: string): boolean => /^[^:]*;ENCODING=QUOTED-PRINTABLE[;:]/i.test(line)

function readCard({ linha, lines }: CardText): FileRow | RefusedRow {
  try {
    const card = new ICAL.Component(
      ICAL.parse(['BEGIN:VCARD', ...lines.map(toCurrentSyntax), 'END:VCARD'].join('\r\n')),
    )
    const textsOf = (name: string): string[] =>
      card.getAllProperties(name).flatMap((one) => one.getValues().map(toText))
    const phones = card.getAllProperties('tel').map((tel) => ({
      phone: tel.getValues().map(toText).join('').replace(/^tel:/i, ''),
      mobile: /cell|mobile/i.test(String(tel.getParameter('type'))),
    }))
    const sorted = phones.toSorted((a, b) => Number(b.mobile) - Number(a.mobile))
    return {
      linha,
      nome: textsOf('fn')[0] || nameOfParts(card) || (textsOf('org')[0] ?? ''),
      telefones: sorted.map(({ phone }) => phone),
      etiquetas: textsOf('categories').filter((name) => !/^my ?contacts$/i.test(name)),
      observacao: textsOf('note').join('\n'),
    }
  } catch {
    return { linha, motivo: 'Cartão que não pôde ser lido' }
  }
}

const toText = (value: unknown): string => (Array.isArray(value) ? value.flat().join(' ').trim() : String(value))

function nameOfParts(card: InstanceType<typeof ICAL.Component>): string {
  const [family = '', given = '', middle = ''] = card.getFirstProperty('n')?.getValues().flat().map(toText) ?? []
  return [given, middle, family].filter((part) => part !== '').join(' ')
}

/** Version 2.1 writes `TEL;CELL:` for `TEL;TYPE=CELL:`, and may encode texts as quoted-printable. */
function toCurrentSyntax(line: string): string {
  const colon = line.indexOf(':')
  const [name = '', ...parameters] = line.slice(0, colon).split(';')
  const value = line.slice(colon + 1)
  const kept = parameters
    .map((one) => (one.includes('=') ? one : `TYPE=${one}`))
    .filter((one) => !/^(ENCODING|CHARSET|TYPE=QUOTED-PRINTABLE)/i.test(one))
  const text = isQuotedPrintable(line) ? decodeQuotedPrintable(value, /CHARSET=([\w-]+)/i.exec(line)?.[1]) : value
  return `${[name, ...kept].join(';')}:${text.replaceAll(/\r?\n/g, String.raw`\n`)}`
}

function decodeQuotedPrintable(text: string, charset = 'utf-8'): string {
  const bytes = text.replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return new TextDecoder(/^(utf-8|iso-8859-1|windows-1252)$/i.test(charset) ? charset : 'utf-8').decode(
    Buffer.from(bytes, 'latin1'),
  )
}
