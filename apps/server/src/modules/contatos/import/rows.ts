import * as z from 'zod/mini'
import { ETIQUETAS_POR_CONTATO, OBSERVACAO_MAXIMA } from '@balcao/contract/entities/contato'
import { parsePhone } from '@balcao/contract/entities/telefone'
import { decodeText } from '#lib/decode-text.ts'

export const importRowSchema = z.object({
  linha: z.int(),
  nome: z.string(),
  /** Canonical digits. */
  telefone: z.string(),
  etiquetas: z.readonly(z.array(z.string())),
  observacao: z.string(),
})
export type ImportRow = z.output<typeof importRowSchema>

export interface FileRow extends Omit<ImportRow, 'telefone'> {
  /** The preferred one first. */
  readonly telefones: readonly string[]
}

export const refusedRowSchema = z.object({ linha: z.int(), motivo: z.string() })
export type RefusedRow = z.output<typeof refusedRowSchema>

const NAME_MAX = 120
const ETIQUETA_MAX = 40

export const TOO_MANY_ETIQUETAS = `Mais de ${ETIQUETAS_POR_CONTATO} etiquetas`

/** Mobile phones have WhatsApp more often than fixed lines. */
const BRAZILIAN_MOBILE = /^55\d{2}9\d{8}$/

export function checkRow({ linha, telefones, ...row }: FileRow): ImportRow | RefusedRow {
  const written = telefones.map((phone) => phone.trim()).filter((phone) => phone !== '')
  const phones = written.map(parsePhone).filter((phone) => phone !== null)
  const telefone = phones.find((phone) => BRAZILIAN_MOBILE.test(phone)) ?? phones[0]
  if (telefone === undefined) return { linha, motivo: written.length === 0 ? 'Sem telefone' : 'Telefone inválido' }
  const nome = cleanText(row.nome).replaceAll(/\s+/g, ' ')
  if (nome.length > NAME_MAX) return { linha, motivo: `Nome com mais de ${NAME_MAX} letras` }
  const observacao = cleanText(row.observacao)
  if (observacao.length > OBSERVACAO_MAXIMA)
    return { linha, motivo: `Observação com mais de ${OBSERVACAO_MAXIMA} letras` }
  const etiquetas = [...new Set(row.etiquetas.map(cleanText))].filter((name) => name !== '')
  if (etiquetas.some((name) => name.length > ETIQUETA_MAX)) {
    return { linha, motivo: `Etiqueta com mais de ${ETIQUETA_MAX} letras` }
  }
  if (etiquetas.length > ETIQUETAS_POR_CONTATO) return { linha, motivo: TOO_MANY_ETIQUETAS }
  return { linha, nome, telefone, etiquetas, observacao }
}

/** PostgreSQL rejects NUL and lone surrogates. */
const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim()

export interface CheckedRows {
  readonly rows: readonly ImportRow[]
  readonly repeated: number
  readonly recusados: readonly RefusedRow[]
}

/** A second row of a phone with other data is refused. */
export function mergeRows(checked: readonly (ImportRow | RefusedRow)[]): CheckedRows {
  const byPhone = new Map<string, ImportRow>()
  const recusados: RefusedRow[] = []
  let repeated = 0
  for (const row of checked) {
    if ('motivo' in row) recusados.push(row)
    else {
      const first = byPhone.get(row.telefone)
      if (first === undefined) byPhone.set(row.telefone, row)
      else if (isEqual(first, row)) repeated += 1
      else recusados.push({ linha: row.linha, motivo: `Telefone repetido da linha ${first.linha}` })
    }
  }
  return { rows: [...byPhone.values()], repeated, recusados }
}

function isEqual(a: ImportRow, b: ImportRow): boolean {
  return a.nome === b.nome && a.observacao === b.observacao && a.etiquetas.join('\n') === b.etiquetas.join('\n')
}

interface ImportedFile {
  readonly kind: 'csv' | 'vcard'
  readonly text: string
}

export function readFileText(bytes: Uint8Array): ImportedFile {
  const text = decodeText(bytes)
  return { kind: /^\s*BEGIN:VCARD/i.test(text) ? 'vcard' : 'csv', text }
}
