import { decodeText } from '#lib/decode-text.ts'
import { isOldDocument, lockedDocument, readDocx } from './docx.ts'
import { readHtml } from './html.ts'
import { type ParsedFile, plainFile, UnreadableFile } from './parsed.ts'
import { readPdf } from './pdf.ts'
import { readCsvFile } from './tables.ts'

const WRONG_KIND = 'Este tipo de arquivo não pode ser lido. Envie um PDF, DOCX, TXT, CSV ou HTML.'
const HEAD_BYTES = 1_024
/** Tabs, line feeds, form feeds, carriage returns and escapes are in texts. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([9, 10, 12, 13, 27])
const CHECKED_CHARACTERS = 65_536

/**
 * The bytes decide what the file is. The name only separates text, table and page. A long file waits for `rest` again
 * and again. Throws `UnreadableFile`.
 */
export async function readFileBytes(bytes: Uint8Array, name: string, rest: () => Promise<void>): Promise<ParsedFile> {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  if (head.includes('%PDF-')) return readPdf(bytes, rest)
  if (head.startsWith('PK\u0003\u0004')) return readDocx(bytes)
  if (isOldDocument(bytes)) throw lockedDocument()
  return readTextFile(bytes, /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '')
}

function readTextFile(bytes: Uint8Array, extension: string): ParsedFile {
  const text = decodeText(bytes)
  if (isBinary(text) || ['pdf', 'docx', 'doc'].includes(extension)) throw new UnreadableFile(WRONG_KIND)
  if (text.trim() === '') throw new UnreadableFile('O arquivo está vazio.')
  if (extension === 'csv') return readCsvFile(bytes)
  const isPage = /^\s*(?:<!doctype html|<html)/i.test(text.slice(0, HEAD_BYTES)) || /^html?$/.test(extension)
  return isPage ? readHtml(text) : plainFile([{ secao: '', texto: text }])
}

function isBinary(text: string): boolean {
  for (let at = 0; at < Math.min(text.length, CHECKED_CHARACTERS); at += 1) {
    const code = text.charCodeAt(at)
    if (code < 32 && !TEXT_CONTROLS.has(code)) return true
  }
  return false
}
