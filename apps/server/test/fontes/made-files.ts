import { deflateSync } from 'node:zlib'
import { zipSync } from 'fflate'

/** Files as the usual programs write them, as far as a reader of texts needs it. */

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'

/** A PDF with one compressed text stream per page. `trailer` is added to the trailer. */
export function madePdf(pages: readonly (readonly string[])[], trailer = ''): Buffer {
  return pdfOf(
    pages.map((lines) => deflateSync(Buffer.from(contentOf(lines), 'latin1'))),
    trailer,
  )
}

function contentOf(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`)
  return `BT /F1 11 Tf 14 TL 50 780 Td ${shown.join(' ')} ET`
}

export function pdfOf(streams: readonly Buffer[], trailer = ''): Buffer {
  const pageIds = streams.map((_, index) => 4 + index * 2)
  const objects: Buffer[] = [
    Buffer.from(CATALOG),
    Buffer.from(`<< /Type /Pages /Count ${streams.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`),
    Buffer.from(FONT),
    ...streams.flatMap((stream, index) => [
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
      ),
      Buffer.concat([
        Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
        stream,
        Buffer.from('\nendstream'),
      ]),
    ]),
  ]
  return joinObjects(objects, trailer)
}

function joinObjects(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = 9
  for (const [index, body] of objects.entries()) {
    offsets.push(length)
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

/** The marks of a PDF with a user's password. No password opens it. */
export const ENCRYPTED = `/ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${'28'.repeat(32)}> /U <${'29'.repeat(32)}> /P -4 >>`

export function madeDocx(body: string, more: Readonly<Record<string, Uint8Array>> = {}): Buffer {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
  return Buffer.from(
    zipSync({ '[Content_Types].xml': Buffer.from('<Types/>'), 'word/document.xml': Buffer.from(xml), ...more }),
  )
}

const textRun = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
export const paragraph = (text: string): string => `<w:p>${textRun(text)}</w:p>`
export const heading = (text: string): string => `<w:p><w:pPr><w:pStyle w:val="Ttulo1"/></w:pPr>${textRun(text)}</w:p>`
export const tableRow = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`
