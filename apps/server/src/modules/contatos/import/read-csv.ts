import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import * as z from 'zod/mini'
import { IMPORTACAO_LINHAS_MAXIMO } from '@balcao/contract/entities/contato'
import { unescapeFormulas } from '@balcao/contract/text/spreadsheet'
import { parsePhone } from '@balcao/contract/entities/telefone'
import { AppError } from '#errors.ts'
import { foldName } from '#modules/contatos/search-terms.ts'
import { splitEtiquetas } from '../etiquetas/etiqueta-names.ts'
import type { FileRow } from './rows.ts'

interface CsvColumns {
  /** Joined with a space: first, middle and last name, if there is no full name. */
  readonly nome: readonly number[]
  readonly empresa: readonly number[]
  readonly telefone: readonly number[]
  readonly etiquetas: readonly number[]
  readonly observacao: readonly number[]
  readonly header: boolean
}

/** Folded, as Google, Outlook, phones and shops write them. */
const FULL_NAME =
  /^(nome|name|nome completo|full name|display name|nome de exibicao|nome para exibicao|cliente|contato)$/
const NAME_PARTS = [
  /^(first name|given name|primeiro nome|nome proprio)$/,
  /^(middle name|additional name|nome do meio)$/,
  /^(last name|family name|sobrenome|surname|ultimo nome|apelido)$/,
]
const COMPANY = /^(company|empresa|organizacao|organization|organization (1 - )?name|organization name)$/
const PHONES = [
  /^(whatsapp|celular|mobile|mobile phone|telefone celular|telemovel|numero de celular)$/,
  /^(telefone|phone|fone|tel|numero|phone number|telefone 1|primary phone|telefone principal|contato telefone)$/,
  /^(phone|telefone) \d+ - (value|valor)$/,
  /^(home phone|business phone|other phone|telefone (residencial|comercial|fixo)|telefone 2|fone 2)$/,
]
const TAGS = /^(etiquetas?|tags?|labels?|group membership|categor(ies|y|ias?)|marcadores|grupos?)$/
const NOTES = /^(observac(ao|oes)|obs|notas?|notes?|anotac(ao|oes)|comentarios?)$/

/** Without a header the contents decide. Null: no phone. */
function findColumns(first: readonly string[]): CsvColumns | null {
  const names = first.map((cell) => foldName(cell).replaceAll(/[.:*]/g, '').replaceAll(/\s+/g, ' ').trim())
  const matching = (pattern: RegExp): number[] => names.flatMap((name, index) => (pattern.test(name) ? [index] : []))
  const telefone = PHONES.flatMap(matching)
  if (telefone.length === 0) return columnsByContents(first)
  const full = matching(FULL_NAME).slice(0, 1)
  return {
    ...{ nome: full.length > 0 ? full : NAME_PARTS.flatMap(matching), empresa: matching(COMPANY).slice(0, 1) },
    ...{ telefone, etiquetas: matching(TAGS), observacao: matching(NOTES), header: true },
  }
}

function columnsByContents(first: readonly string[]): CsvColumns | null {
  const telefone = first.findIndex((cell) => parsePhone(cell) !== null)
  if (telefone === -1) return null
  const nome = first.findIndex((cell, index) => index !== telefone && /\p{L}/u.test(cell))
  return {
    ...{ nome: nome === -1 ? [] : [nome], empresa: [], telefone: [telefone] },
    ...{ etiquetas: [], observacao: [], header: false },
  }
}

const SEPARATORS = [';', ',', '\t', '|'] as const

function findSeparator(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '')
  const counts = SEPARATORS.map((separator) => ({ separator, count: bare.split(separator).length }))
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).separator
}

/** A row of Google has at most a few thousand. */
const ROW_MAX = 65_536
const COLUMNS_MAX = 200

const recordsSchema = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }))

interface CsvRecord {
  readonly linha: number
  readonly cells: readonly string[]
}

/** Throws `dadosInvalidos` without a phone column, above a limit, or with an open quote. */
export function readCsv(text: string): FileRow[] {
  const [, hint, rest = text] = /^sep=(.)\r?\n([\s\S]*)$/.exec(text) ?? []
  const format = { delimiter: hint ?? findSeparator(firstLine(rest)), skipped: hint === undefined ? 0 : 1 }
  if (firstLine(rest).split(format.delimiter).length > COLUMNS_MAX) throw tooManyColumns()
  const records = parseCsv(rest, format)
  const [first] = records
  const columns = first === undefined ? null : findColumns(first.cells)
  if (columns === null) {
    throw new AppError('dadosInvalidos', { erro: 'O arquivo não tem uma coluna de telefone.' })
  }
  const rows = columns.header ? records.slice(1) : records
  if (rows.length > IMPORTACAO_LINHAS_MAXIMO) throw tooManyRows()
  return rows.map((record) => toFileRow(record, columns))
}

function firstLine(text: string): string {
  const [line = ''] = /^[^\r\n]*/.exec(text.slice(0, ROW_MAX + 1)) ?? []
  if (line.length > ROW_MAX) throw tooLongRow()
  return line
}

function tooManyColumns(): AppError {
  return new AppError('dadosInvalidos', { erro: `O arquivo tem mais de ${COLUMNS_MAX} colunas. Apague as que sobram.` })
}

function tooLongRow(): AppError {
  return new AppError('dadosInvalidos', { erro: 'O arquivo tem uma linha longa demais. Confira as aspas.' })
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

function parseCsv(text: string, { delimiter, skipped }: CsvFormat): CsvRecord[] {
  const lenient = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true }
  // A header and one row more than allowed show that there are too many.
  const limits = { max_record_size: ROW_MAX, to: IMPORTACAO_LINHAS_MAXIMO + 2 }
  try {
    const records = recordsSchema.parse(parse(text, { delimiter, info: true, ...lenient, ...limits }))
    return records.map(({ record: cells, info }) => {
      // `lines` counts up to the end of the record.
      const breaks = cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
      return { linha: info.lines - breaks + skipped, cells }
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooLongRow()
    throw new AppError('dadosInvalidos', { erro: 'O arquivo não pôde ser lido. Confira as aspas e salve de novo.' })
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
