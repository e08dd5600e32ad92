import { unzipSync } from 'fflate'
import { Parser } from 'htmlparser2'
import type { SourceSection } from '@balcao/engine/ia/knowledge/cut'
import { type ParsedFile, plainFile, UnreadableFile } from './parsed.ts'

const DOCUMENT = 'word/document.xml'
const DOCUMENT_MAX_BYTES = 30_000_000
const BROKEN = 'O documento do Word está danificado e não pode ser lido.'
const TOO_BIG = 'O documento do Word é grande demais para ser lido. Divida em partes.'
const LOCKED = 'O documento do Word está protegido por senha ou é de uma versão antiga. Salve como DOCX sem senha.'

export function readDocx(bytes: Uint8Array): ParsedFile {
  const xml = documentOf(bytes)
  const sections = sectionsOf(new TextDecoder().decode(xml))
  if (sections.every(({ texto }) => texto.trim() === '')) throw new UnreadableFile('O documento do Word não tem texto.')
  return plainFile(sections)
}

/** Password-protected documents and those of old versions are no archives. */
export function isOldDocument(bytes: Uint8Array): boolean {
  return [0xd0, 0xcf, 0x11, 0xe0].every((byte, index) => bytes[index] === byte)
}

export const lockedDocument = (): UnreadableFile => new UnreadableFile(LOCKED)

function documentOf(bytes: Uint8Array): Uint8Array {
  let tooBig = false
  let found: Uint8Array | undefined
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (name !== DOCUMENT) return false
        tooBig = originalSize > DOCUMENT_MAX_BYTES
        return !tooBig
      },
    })
    found = files[DOCUMENT]
  } catch {
    throw new UnreadableFile(BROKEN)
  }
  if (tooBig) throw new UnreadableFile(TOO_BIG)
  if (found === undefined) throw new UnreadableFile(BROKEN)
  return found
}

/** Paragraphs, with the cells of a table row on one line. A heading begins a section. */
function sectionsOf(xml: string): SourceSection[] {
  const sections: { secao: string; lines: string[] }[] = [{ secao: '', lines: [] }]
  let [paragraph, row, inRow, inText, isHeading] = ['', '', 0, false, false]
  const endParagraph = (): void => {
    const line = paragraph.trim()
    if (inRow > 0) row += line === '' ? '' : `${row === '' ? '' : ' | '}${line}`
    else if (isHeading && line !== '') sections.push({ secao: line.slice(0, 200), lines: [] })
    else sections.at(-1)?.lines.push(line)
    paragraph = ''
    isHeading = false
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (name === 'w:t') inText = true
        else if (name === 'w:tab' || name === 'w:br') paragraph += ' '
        else if (name === 'w:tr') inRow += 1
        else if (name === 'w:pStyle') isHeading = /^(?:heading|t[ií]?tulo|title)/i.test(attributes['w:val'] ?? '')
      },
      ontext: (text) => {
        if (inText) paragraph += text
      },
      onclosetag: (name) => {
        if (name === 'w:t') inText = false
        else if (name === 'w:p') endParagraph()
        else if (name === 'w:tr') {
          inRow -= 1
          sections.at(-1)?.lines.push(row)
          row = ''
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return sections.map(({ secao, lines }) => ({ secao, texto: lines.join('\n') }))
}
