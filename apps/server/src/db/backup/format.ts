import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Reader } from './reader.ts'

/*
 * Backup file: one line of JSON (the header), one line with the SHA-256 of that line, then the COPY text of each
 * table. The header gives the order and the lengths.
 */

const FORMAT = 'balcao-export'
const FORMAT_VERSION = 1
const HEADER_MAX_BYTES = 4_000_000

const headerSchema = z.object({
  formato: z.literal(FORMAT),
  versao: z.literal(FORMAT_VERSION),
  criadoEm: z.string(),
  migracoes: z.array(z.object({ nome: z.string(), sha256: z.string() })),
  /** Referenced tables stand before the tables that reference them. */
  tabelas: z.array(
    z.object({
      nome: z.string(),
      colunas: z.array(z.string()),
      linhas: z.number(),
      bytes: z.number(),
      sha256: z.string(),
    }),
  ),
  /** `ultimo` is null for a sequence that never gave a number. */
  sequencias: z.array(z.object({ nome: z.string(), ultimo: z.nullable(z.number()) })),
})

export type Header = z.output<typeof headerSchema>
export type HeaderTable = Header['tabelas'][number]

export function encodeHeader(content: Omit<Header, 'formato' | 'versao'>): string {
  const linha = JSON.stringify({ formato: FORMAT, versao: FORMAT_VERSION, ...content })
  return `${linha}\n${sha256(linha)}\n`
}

/**
 * Reads the header and leaves the reader at the first table. Throws a Portuguese sentence if the header is damaged
 * or of another format.
 */
export async function readHeader(reader: Reader): Promise<Header> {
  const linha = await reader.line(HEADER_MAX_BYTES)
  const sum = await reader.line(HEADER_MAX_BYTES)
  if (linha === null || sum !== sha256(linha)) {
    throw new Error('O arquivo está danificado, a chave não é a dele, ou não é uma exportação do Balcão.')
  }
  const parsed = headerSchema.safeParse(JSON.parse(linha))
  if (!parsed.success) throw new Error('O arquivo é de uma versão do Balcão que esta não sabe ler.')
  return parsed.data
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
