import { parse } from 'csv-parse/sync'
import { decodeText } from '#lib/decode-text.ts'
import { type ParsedFile, plainFile, UnreadableFile } from './parsed.ts'

const ROWS_MAX = 20_000
const DELIMITERS = [';', ',', '\t', '|'] as const

/** Each row becomes a line with the names of its columns, so that a piece is understood alone. */
export function readCsvFile(bytes: Uint8Array): ParsedFile {
  const text = decodeText(bytes)
  const [head, ...rows] = parseRows(text)
  if (head === undefined) throw new UnreadableFile('A planilha está vazia.')
  if (rows.length > ROWS_MAX) throw new UnreadableFile('A planilha tem mais de 20.000 linhas. Divida em partes.')
  const lines = rows.length === 0 ? [head.join('; ')] : rows.map((row) => rowLine(head, row))
  return plainFile([{ secao: '', texto: lines.filter((line) => line !== '').join('\n') }])
}

function parseRows(text: string): string[][] {
  const first = text.slice(0, text.search(/[\r\n]|$/))
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: first.split(delimiter).length }))
  const { delimiter } = counts.toSorted((a, b) => b.count - a.count)[0] ?? { delimiter: ';' }
  try {
    const options = {
      delimiter,
      bom: true,
      relaxQuotes: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      trim: true,
    }
    const rows: unknown = parse(text, { ...options, to: ROWS_MAX + 2 })
    return Array.isArray(rows) ? rows.map((row: unknown) => (Array.isArray(row) ? row.map(String) : [])) : []
  } catch {
    throw new UnreadableFile('A planilha está danificada e não pode ser lida.')
  }
}

function rowLine(head: readonly string[], row: readonly string[]): string {
  return row
    .map((cell, index) => ({ name: head[index] ?? '', cell: cell.replace(/\s+/g, ' ').trim() }))
    .filter(({ cell }) => cell !== '')
    .map(({ name, cell }) => (name === '' ? cell : `${name}: ${cell}`))
    .join('; ')
}
