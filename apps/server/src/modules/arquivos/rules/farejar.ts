import type { Midia } from '@balcao/contract/entities/mensagem'
import { latin1, startsWith } from './bytes.ts'
import { isMp3, isMp4Audio, isOgg, isWebmAudio } from './som.ts'
import { hidesPage, isPlainText } from './texto.ts'
import { findZipEnd, listZip } from './zip.ts'

export interface TipoDeArquivo {
  readonly mime: string
  /** Allowed extensions. The first is the extension of the stored name. */
  readonly extensoes: readonly [string, ...string[]]
  readonly midia: Extract<Midia['tipo'], 'imagem' | 'audio' | 'documento'>
}

interface Assinatura extends TipoDeArquivo {
  readonly reconhece: (bytes: Buffer) => boolean
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** Allow-list of file types, by content. The name and the type given by the sender are not trusted. */
const ASSINATURAS: readonly Assinatura[] = [
  { mime: 'image/png', extensoes: ['png'], midia: 'imagem', reconhece: isPng },
  {
    mime: 'image/jpeg',
    extensoes: ['jpg', 'jpeg', 'jfif'],
    midia: 'imagem',
    reconhece: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]),
  },
  { mime: 'image/webp', extensoes: ['webp'], midia: 'imagem', reconhece: isWebp },
  { mime: 'audio/ogg', extensoes: ['ogg', 'oga', 'opus'], midia: 'audio', reconhece: isOgg },
  { mime: 'audio/webm', extensoes: ['webm', 'weba'], midia: 'audio', reconhece: isWebmAudio },
  { mime: 'audio/mp4', extensoes: ['m4a', 'mp4'], midia: 'audio', reconhece: isMp4Audio },
  { mime: 'audio/mpeg', extensoes: ['mp3'], midia: 'audio', reconhece: isMp3 },
  { mime: 'application/pdf', extensoes: ['pdf'], midia: 'documento', reconhece: (bytes) => startsWith(bytes, '%PDF-') },
  office('wordprocessingml.document', 'docx', 'word/document.xml'),
  office('spreadsheetml.sheet', 'xlsx', 'xl/workbook.xml'),
  { mime: 'text/plain', extensoes: ['txt'], midia: 'documento', reconhece: isPlainText },
]

const CSV: TipoDeArquivo = { mime: 'text/csv', extensoes: ['csv'], midia: 'documento' }

/**
 * Returns the type of a file by its bytes, or null if it is not on the allow-list. The name only separates CSV from
 * plain text.
 */
export function farejar(bytes: Buffer, nomeOriginal: string): TipoDeArquivo | null {
  const achado = ASSINATURAS.find(({ reconhece }) => reconhece(bytes))
  if (achado === undefined || isTwoThings(bytes, achado)) return null
  return achado.mime === 'text/plain' && /\.csv$/i.test(nomeOriginal) ? CSV : achado
}

/** Detects polyglots: a picture that is also an HTML page, a document that is also an archive. */
function isTwoThings(bytes: Buffer, { midia, extensoes: [extensao] }: TipoDeArquivo): boolean {
  if (midia !== 'documento') return hidesPage(bytes) || hidesPdf(bytes) || findZipEnd(bytes) !== null
  return extensao === 'pdf' && findZipEnd(bytes) !== null
}

/** PDF readers accept the header anywhere in the first kilobyte. */
function hidesPdf(bytes: Buffer): boolean {
  return latin1(bytes, 0, 1_024).includes('%PDF-')
}

function isPng(bytes: Buffer): boolean {
  return startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) && latin1(bytes, 12, 16) === 'IHDR'
}

function isWebp(bytes: Buffer): boolean {
  return (
    startsWith(bytes, 'RIFF') && latin1(bytes, 8, 15) === 'WEBPVP8' && bytes.readUInt32LE(4) + 8 <= bytes.length + 1
  )
}

/** An Office document is a ZIP with a known part. Files with macros are rejected. */
function office(subtipo: string, extensao: string, parte: string): Assinatura {
  return {
    mime: `${OFFICE}.${subtipo}`,
    extensoes: [extensao],
    midia: 'documento',
    reconhece: (bytes) => {
      const nomes = startsWith(bytes, 'PK\u0003\u0004') ? listZip(bytes) : null
      if (nomes === null || !nomes.includes('[Content_Types].xml') || !nomes.includes(parte)) return false
      return !nomes.some((nome) => nome.endsWith('vbaProject.bin'))
    },
  }
}
