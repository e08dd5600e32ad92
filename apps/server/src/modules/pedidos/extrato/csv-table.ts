import { foldAccents } from '@balcao/contract/text/fold-accents'
import { parseDay, parseSum } from './bank-values.ts'

/** Positions of the columns; -1: the file has none. */
export interface CsvTable {
  readonly separator: string
  /** Where the rows begin, after the bank's own lines and the header. */
  readonly from: number
  readonly columns: {
    readonly dia: number
    readonly valor: number
    readonly tipo: number
    readonly id: number
    readonly texto: readonly number[]
  }
}

/** Lines that some banks write before the table. */
const HEAD_LINES = 60
const CELL_MAX = 2_000
const COLUMNS_MAX = 60

const DAY = /^(data|date|dt)\b|_date$/
const SUM = /^(valor|amount|quantia|montante|credito|creditos|entrada|entradas|transaction_net_amount)\b/
const KIND = /^(tipo|natureza|d\/c|c\/d|deb_cred|debito\/credito|credito\/debito)\b/
const ID =
  /^(identificador|id|id da transacao|codigo da transacao|reference_id|nr_doc|documento|docto|numero do documento)\b/

/** Finds the header, or columns by their contents. Null: no table with days and sums. */
export function readCsvTable(text: string): CsvTable | null {
  for (const separator of [';', ',', '\t']) {
    let lines = 0
    for (const row of splitRows(text, { separator, from: 0 })) {
      const columns = columnsByName(row.cells)
      if (columns !== null) return { separator, from: row.end, columns }
      const guessed = columnsByContents(row.cells)
      if (guessed !== null) return { separator, from: row.begin, columns: guessed }
      lines += 1
      if (lines >= HEAD_LINES) break
    }
  }
  return null
}

function columnsByName(cells: readonly string[]): CsvTable['columns'] | null {
  const names = cells.map((cell) => foldAccents(cell).toLowerCase().trim())
  const find = (pattern: RegExp): number => names.findIndex((name) => pattern.test(name))
  const [dia, valor, tipo, id] = [find(DAY), find(SUM), find(KIND), find(ID)]
  if (dia < 0 || valor < 0) return null
  return { dia, valor, tipo, id, texto: textColumns(names.length, [dia, valor, tipo, id], names) }
}

function columnsByContents(cells: readonly string[]): CsvTable['columns'] | null {
  const dia = cells.findIndex((cell) => parseDay(cell) !== null)
  const valor = cells.findIndex((cell, index) => index !== dia && /[.,]\d{2}\D*$/.test(cell) && parseSum(cell) !== null)
  if (dia < 0 || valor < 0) return null
  return { dia, valor, tipo: -1, id: -1, texto: textColumns(cells.length, [dia, valor], []) }
}

/** The balance after a line differs between two statements, so it is no part of the line. */
function textColumns(count: number, taken: readonly number[], names: readonly string[]): number[] {
  const all = Array.from({ length: Math.min(count, COLUMNS_MAX) }, (_, index) => index)
  return all.filter((index) => !taken.includes(index) && !(names[index] ?? '').startsWith('saldo'))
}

export function* readCsvRows(text: string, table: CsvTable): Generator<readonly string[]> {
  for (const { cells } of splitRows(text, table)) yield cells
}

interface CsvRow {
  readonly begin: number
  readonly end: number
  readonly cells: readonly string[]
}

/** One line at a time, empty ones too. An open quote ends with its line, so that it does not swallow the file. */
function* splitRows(text: string, { separator, from }: Pick<CsvTable, 'separator' | 'from'>): Generator<CsvRow> {
  let begin = from
  while (begin < text.length) {
    const newline = text.indexOf('\n', begin)
    const end = newline < 0 ? text.length : newline + 1
    yield { begin, end, cells: splitLine(text.slice(begin, end).trimEnd(), separator) }
    begin = end
  }
}

function splitLine(line: string, separator: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at <= line.length && cells.length < COLUMNS_MAX) {
    const quoted = line[at] === '"' ? quotedCell(line, at, separator) : null
    const next = line.indexOf(separator, at)
    const end = quoted?.end ?? (next < 0 ? line.length : next)
    cells.push((quoted?.cell ?? line.slice(at, end)).slice(0, CELL_MAX).trim())
    at = end + 1
  }
  return cells
}

/** Null when no quote before a separator closes the cell. */
function quotedCell(line: string, from: number, separator: string): { cell: string; end: number } | null {
  for (let at = line.indexOf('"', from + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    if (line[at + 1] === '"') {
      at += 1
      continue
    }
    const after = line[at + 1]
    if (after === undefined || after === separator) {
      return { cell: line.slice(from + 1, at).replaceAll('""', '"'), end: at + 1 }
    }
  }
  return null
}
