import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import * as z from 'zod/mini'
import { IMPORTACAO_LINHAS_MAXIMO } from '@balcao/contract/entities/contato'
import { AppError } from '#errors.ts'
import { unescapeFormulas } from '@balcao/contract/spreadsheet'
import { splitEtiquetas } from '../etiquetas/etiqueta-names.ts'
import { type CsvColumns, findColumns, findSeparator } from './csv-columns.ts'
import type { Pace } from './pace.ts'
import type { FileRow } from './rows.ts'

/** Parsed without a rest. */
const CHUNK_CHARS = 65_536

const recordSchema = z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) })

interface CsvRecord {
  readonly linha: number
  readonly cells: readonly string[]
}

/** Throws `dadosInvalidos` for a file without a phone column, with too many rows or with an open quote. */
export async function readCsv(text: string, pace: Pace): Promise<FileRow[]> {
  const [, hint, rest = text] = /^sep=(.)\r?\n([\s\S]*)$/.exec(text) ?? []
  const format = { delimiter: hint ?? findSeparator(rest), skipped: hint === undefined ? 0 : 1 }
  const records = await parseCsv(rest, format, pace)
  const [first] = records
  const columns = first === undefined ? null : findColumns(first.cells)
  if (columns === null) {
    throw new AppError('dadosInvalidos', { erro: 'O arquivo não tem uma coluna de telefone.' })
  }
  const rows = columns.header ? records.slice(1) : records
  if (rows.length > IMPORTACAO_LINHAS_MAXIMO) throw tooManyRows()
  return rows.map((record) => toFileRow(record, columns))
}

export function tooManyRows(): AppError {
  return new AppError('dadosInvalidos', {
    erro: `O arquivo tem mais de ${IMPORTACAO_LINHAS_MAXIMO.toLocaleString('pt-BR')} contatos. Divida em partes.`,
  })
}

interface CsvFormat {
  readonly delimiter: string
  /** Lines before the text. */
  readonly skipped: number
}

async function parseCsv(text: string, { delimiter, skipped }: CsvFormat, pace: Pace): Promise<CsvRecord[]> {
  const parser = parse({ delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true })
  const records: CsvRecord[] = []
  try {
    for await (const item of Readable.from(chunksOf(text, pace)).pipe(parser)) {
      const { record: cells, info } = recordSchema.parse(item)
      // `lines` counts up to the end of the record.
      const breaks = cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
      records.push({ linha: info.lines - breaks + skipped, cells })
      if (records.length > IMPORTACAO_LINHAS_MAXIMO + 1) throw tooManyRows()
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new AppError('dadosInvalidos', { erro: 'O arquivo não pôde ser lido. Confira as aspas e salve de novo.' })
  }
  return records
}

async function* chunksOf(text: string, pace: Pace): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += CHUNK_CHARS) {
    yield text.slice(from, from + CHUNK_CHARS)
    await pace()
  }
}

function toFileRow({ linha, cells }: CsvRecord, columns: CsvColumns): FileRow {
  const textOf = (positions: readonly number[], separator: string): string =>
    positions
      .map((index) => unescapeFormulas(cells[index] ?? '').trim())
      .filter((cell) => cell !== '')
      .join(separator)
  return {
    linha,
    nome: textOf(columns.nome, ' ') || textOf(columns.empresa, ' '),
    // Google writes several phones in one cell.
    telefones: columns.telefone.flatMap((index) => unescapeFormulas(cells[index] ?? '').split(':::')),
    etiquetas: splitEtiquetas(textOf(columns.etiquetas, ',')),
    observacao: textOf(columns.observacao, '\n'),
  }
}
