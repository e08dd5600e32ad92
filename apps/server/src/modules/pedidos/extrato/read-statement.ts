import { AppError } from '#errors.ts'
import { parseDay, parseSum } from './bank-values.ts'
import { readCsvRows, readCsvTable } from './csv-table.ts'

/** A credit of a bank statement. */
export interface Credit {
  /** `AAAA-MM-DD`. */
  readonly dia: string
  readonly centavos: number
  /** The bank's id with the number of the account, '' if the file has none. */
  readonly id: string
  /** All that the bank wrote about it. */
  readonly texto: string
}

const CREDITS_MAX = 100_000

/**
 * Reads the credits one by one, so that the caller can pause. Null: a line that is no credit. Throws `dadosInvalidos`
 * for a text that is no statement.
 */
export function* readStatement(text: string): Generator<Credit | null> {
  let credits = 0
  for (const credit of isOfx(text) ? readOfx(text) : readCsv(text)) {
    yield credit
    if (credit === null) continue
    credits += 1
    if (credits > CREDITS_MAX) throw refused('O extrato tem linhas demais. Baixe um período menor no banco.')
  }
}

const refused = (erro: string): AppError => new AppError('dadosInvalidos', { erro })

const HEAD = 4_096
const isOfx = (text: string): boolean => /OFXHEADER|<OFX>/i.test(text.slice(0, HEAD))

const BEGIN = /<STMTTRN>/gi

/** OFX 1 (SGML, without closing tags) and 2 (XML). Document types are never read, so entities cannot grow. */
function* readOfx(text: string): Generator<Credit | null> {
  const account = fieldOf(text.slice(0, HEAD), 'ACCTID')
  let from = -1
  for (const { index } of text.matchAll(BEGIN)) {
    if (from >= 0) yield ofxCredit(text.slice(from, index), account)
    from = index
  }
  if (from < 0 && !/<\/OFX>/i.test(text)) throw refused('O extrato está incompleto. Baixe o arquivo de novo no banco.')
  if (from >= 0) yield ofxCredit(wholeFields(text.slice(from, from + HEAD)), account)
}

/** Without a field at which a broken download ended: of `1200.00` it may have brought `12`. */
function wholeFields(block: string): string {
  return block.slice(0, Math.max(block.lastIndexOf('<'), block.lastIndexOf('\n')))
}

function ofxCredit(whole: string, account: string): Credit | null {
  const end = whole.search(/<\/STMTTRN>/i)
  const block = end < 0 ? whole : whole.slice(0, end)
  const dia = parseDay(fieldOf(block, 'DTPOSTED'))
  const centavos = parseSum(fieldOf(block, 'TRNAMT'))
  if (dia === null || centavos === null || centavos <= 0) return null
  const fitid = fieldOf(block, 'FITID')
  const texto = ['NAME', 'MEMO', 'CHECKNUM', 'REFNUM'].map((tag) => fieldOf(block, tag)).join(' ')
  return { dia, centavos, id: fitid === '' ? '' : `${account} ${fitid}`, texto: `${texto} ${fitid}` }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function fieldOf(block: string, tag: string): string {
  const [, raw = ''] = new RegExp(`<${tag}>([^<\\r\\n]{0,500})`, 'i').exec(block) ?? []
  return raw.replace(/&(\w{2,4});/g, (all, name: string) => ENTITIES[name] ?? all).trim()
}

function* readCsv(text: string): Generator<Credit | null> {
  const table = readCsvTable(text)
  if (table === null) throw refused('Este arquivo não é um extrato em OFX ou CSV.')
  const { columns } = table
  for (const cells of readCsvRows(text, table)) {
    const cell = (index: number): string => cells[index] ?? ''
    const dia = parseDay(cell(columns.dia))
    const amount = parseSum(cell(columns.valor))
    const isDebit = columns.tipo >= 0 && DEBIT.test(cell(columns.tipo))
    const texto = columns.texto.map(cell).join(' ')
    const isCredit = dia !== null && amount !== null && amount > 0 && !isDebit && !isBalance(texto)
    const id = columns.id < 0 ? '' : cell(columns.id).trim()
    yield isCredit ? { dia, centavos: amount, id, texto: `${texto} ${id}`.trim() } : null
  }
}

/** A deposit is no debit. */
const DEBIT = /^\s*d(?:$|[eé]b)/i

/** `S A L D O` too. */
const isBalance = (texto: string): boolean => /^\s*s\s*a\s*l\s*d\s*o/i.test(texto)
