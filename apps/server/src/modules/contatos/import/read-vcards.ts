import ICAL from 'ical.js'
import { IMPORTACAO_LINHAS_MAXIMO } from '@balcao/contract/entities/contato'
import { tooManyRows } from './read-csv.ts'
import type { Pace } from './pace.ts'
import type { FileRow, RefusedRow } from './rows.ts'

/** Cards parsed without a rest. */
const CARDS_AT_ONCE = 200

/** Lines of one card, unfolded. */
interface CardText {
  readonly linha: number
  readonly lines: readonly string[]
}

/** Reads vCards of the versions 2.1, 3.0 and 4.0. A card that cannot be read is refused. */
export async function readVcards(text: string, pace: Pace): Promise<(FileRow | RefusedRow)[]> {
  const cards = splitCards(text)
  if (cards.length > IMPORTACAO_LINHAS_MAXIMO) throw tooManyRows()
  const rows: (FileRow | RefusedRow)[] = []
  for (const [index, card] of cards.entries()) {
    rows.push(readCard(card))
    if (index % CARDS_AT_ONCE === 0) await pace()
  }
  return rows
}

/** Only these lines reach the parser. Pictures and vendors' own properties are skipped. */
const USED = /^(VERSION|FN|N|TEL|ORG|CATEGORIES|NOTE)[;:]/i

function splitCards(text: string): CardText[] {
  const cards: { linha: number; lines: string[] }[] = []
  let open: string[] | null = null
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const trimmed = line.trim()
    if (/^BEGIN:VCARD$/i.test(trimmed)) {
      open = []
      cards.push({ linha: index + 1, lines: open })
    } else if (/^END:VCARD$/i.test(trimmed)) open = null
    else if (open !== null) addLine(open, line)
  }
  return cards
}

/** A line that begins with a space continues the one before, and so does a quoted-printable line that ends with `=`. */
function addLine(lines: string[], line: string): void {
  const last = lines.at(-1)
  if (last !== undefined && /^[ \t]/.test(line)) lines[lines.length - 1] = last + line.slice(1)
  else if (last !== undefined && last.endsWith('=') && isQuotedPrintable(last)) {
    lines[lines.length - 1] = last.slice(0, -1) + line
  } else lines.push(line.replace(/^item\d+\./i, ''))
}

const isQuotedPrintable = (line: string): boolean => /^[^:]*;ENCODING=QUOTED-PRINTABLE[;:]/i.test(line)

function readCard({ linha, lines }: CardText): FileRow | RefusedRow {
  try {
    const used = lines.filter((line) => USED.test(line)).map(toCurrentSyntax)
    const card = new ICAL.Component(ICAL.parse(['BEGIN:VCARD', ...used, 'END:VCARD'].join('\r\n')))
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

/** Structured values have several parts. */
const toText = (value: unknown): string => (Array.isArray(value) ? value.flat().join(' ').trim() : String(value))

/** `N` is family name, given name and further parts. */
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
