import { inflateSync } from 'node:zlib'
import { getDocumentProxy } from 'unpdf'
import { type ParsedFile, plainFile, UnreadableFile } from './parsed.ts'

const PAGES_MAX = 500
/** A page of 50 MB is no text. pdf.js expands streams outside the heap, where no limit of the thread counts. */
const STREAM_MAX_BYTES = 50_000_000
const STREAMS_DEPTH = 3

const TOO_BIG = 'O PDF é grande demais para ser lido. Divida em partes.'
const LOCKED = 'O PDF está protegido por senha. Salve uma cópia sem senha e envie de novo.'
const BROKEN = 'O PDF está danificado e não pode ser lido.'
const PICTURES = 'O PDF só tem imagens. Envie um PDF com texto, ou digite o conteúdo.'
const PAGES = 'O PDF tem mais de 500 páginas. Divida em partes.'

/** Waits for `rest` after each page. */
export async function readPdf(bytes: Uint8Array, rest: () => Promise<void>): Promise<ParsedFile> {
  refuseBombs(bytes)
  // pdf.js takes the buffer over.
  const document = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0, stopAtErrors: false }).catch(
    (error: unknown) => {
      throw new UnreadableFile(error instanceof Error && error.name === 'PasswordException' ? LOCKED : BROKEN)
    },
  )
  if (document.numPages > PAGES_MAX) throw new UnreadableFile(PAGES)
  const sections: { pagina: number; secao: string; texto: string }[] = []
  for (let pagina = 1; pagina <= document.numPages; pagina += 1) {
    const lines = await linesOf(document, pagina)
    sections.push({ pagina, secao: '', texto: joinLines(lines) })
    await rest()
  }
  if (sections.every(({ texto }) => texto.trim() === '')) throw new UnreadableFile(PICTURES)
  return plainFile(sections)
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>

async function linesOf(document: PdfDocument, pagina: number): Promise<string[]> {
  const page = await document.getPage(pagina)
  const { items } = await page.getTextContent()
  const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
  page.cleanup()
  return text.split('\n').map((line) => line.trim())
}

/** A line that goes on in the next one is joined with it. */
function joinLines(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    if (line === '') continue
    const goesOn = text !== '' && !/[.!?:;]$/.test(text) && /^[\p{Ll}\d(]/u.test(line)
    if (goesOn && /\p{L}-$/u.test(text)) text = `${text.slice(0, -1)}${line}`
    else text += `${text === '' ? '' : goesOn ? ' ' : '\n'}${line}`
  }
  return text
}

/** Expands each compressed stream up to the limit before pdf.js does it without one. */
function refuseBombs(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = file.indexOf('stream')
  while (at !== -1) {
    const start = at + 'stream'.length + (file[at + 6] === 0x0d ? 2 : 1)
    const end = file.indexOf('endstream', start)
    if (end === -1) return
    refuseBomb(file.subarray(start, end))
    at = file.indexOf('stream', end + 'endstream'.length)
  }
}

function refuseBomb(stream: Uint8Array): void {
  let inner = stream
  for (let depth = 0; depth < STREAMS_DEPTH && (inner[0] ?? 0) % 16 === 8; depth += 1) {
    const expanded = expand(inner)
    if (expanded === null) return
    inner = expanded
  }
}

function expand(stream: Uint8Array): Buffer | null {
  try {
    return inflateSync(stream, { maxOutputLength: STREAM_MAX_BYTES })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new UnreadableFile(TOO_BIG)
    return null
  }
}
