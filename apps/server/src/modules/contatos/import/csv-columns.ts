import { parsePhone } from '@balcao/contract/entities/telefone'
import { foldName } from '../search-terms.ts'

/** Columns of a file, by position. */
export interface CsvColumns {
  /** Joined with a space: first, middle and last name, if there is no full name. */
  readonly nome: readonly number[]
  /** Used for rows without a name. */
  readonly empresa: readonly number[]
  /** The preferred phone first. */
  readonly telefone: readonly number[]
  readonly etiquetas: readonly number[]
  readonly observacao: readonly number[]
  /** False: the first row is a contato. */
  readonly header: boolean
}

/** Folded names of columns in Portuguese and English, as Google, Outlook, phones and shops write them. */
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

/** Finds the columns by the names in the first row, or by its contents if the file has no header. Null: no phone. */
export function findColumns(first: readonly string[]): CsvColumns | null {
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

/** The separator that the first line of the file has most often outside of quotes. */
export function findSeparator(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '')
  const counts = SEPARATORS.map((separator) => ({ separator, count: bare.split(separator).length }))
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).separator
}
