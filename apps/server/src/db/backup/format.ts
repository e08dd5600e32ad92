import { createHash } from 'node:crypto'
import * as z from 'zod/mini'

/*
 * Backup file: one line of JSON (the header), one line with the SHA-256 of that line, then the COPY text of each
 * table. The header gives the order and the lengths.
 */

const FORMAT = 'balcao-export'
const CONTA_FORMAT = 'balcao-conta'
const FORMAT_VERSION = 1
const HEADER_MAX_BYTES = 4_000_000

const migrationsSchema = z.array(z.object({ nome: z.string(), sha256: z.string() }))
/** Referenced tables stand before the tables that reference them. */
const tablesSchema = z.array(
  z.object({
    nome: z.string(),
    colunas: z.array(z.string()),
    linhas: z.number(),
    bytes: z.number(),
    sha256: z.string(),
  }),
)

const headerSchema = z.object({
  formato: z.literal(FORMAT),
  versao: z.literal(FORMAT_VERSION),
  criadoEm: z.string(),
  migracoes: migrationsSchema,
  tabelas: tablesSchema,
  /** `ultimo` is null for a sequence that never gave a number. */
  sequencias: z.array(z.object({ nome: z.string(), ultimo: z.nullable(z.number()) })),
})

/** The file of one conta. Its media files follow the tables. */
const contaHeaderSchema = z.object({
  formato: z.literal(CONTA_FORMAT),
  versao: z.literal(FORMAT_VERSION),
  criadoEm: z.string(),
  conta: z.uuid(),
  mudanca: z.uuid(),
  canario: z.string(),
  migracoes: migrationsSchema,
  tabelas: tablesSchema,
})

export type Header = z.output<typeof headerSchema>
export type HeaderTable = Header['tabelas'][number]
export type ContaHeader = z.output<typeof contaHeaderSchema>

export function encodeHeader(content: Omit<Header, 'formato' | 'versao'>): string {
  return encodeLine({ formato: FORMAT, versao: FORMAT_VERSION, ...content })
}

export function encodeContaHeader(content: Omit<ContaHeader, 'formato' | 'versao'>): string {
  return encodeLine({ formato: CONTA_FORMAT, versao: FORMAT_VERSION, ...content })
}

function encodeLine(header: object): string {
  const linha = JSON.stringify(header)
  return `${linha}\n${sha256(linha)}\n`
}

/**
 * Reads the header and leaves the reader at the first table. Throws a Portuguese sentence if the header is damaged
 * or of another format.
 */
export async function readHeader(reader: Reader): Promise<Header> {
  const content = await readLine(reader)
  if (contaHeaderSchema.safeParse(content).success) {
    throw new Error('O arquivo é de uma conta só. Importe com --conta.')
  }
  const parsed = headerSchema.safeParse(content)
  if (!parsed.success) throw new Error('O arquivo é de uma versão do Balcão que esta não sabe ler.')
  return parsed.data
}

export async function readContaHeader(reader: Reader): Promise<ContaHeader> {
  const content = await readLine(reader)
  if (headerSchema.safeParse(content).success) {
    throw new Error('O arquivo é de uma instalação inteira. Importe sem --conta.')
  }
  const parsed = contaHeaderSchema.safeParse(content)
  if (!parsed.success) throw new Error('O arquivo é de uma versão do Balcão que esta não sabe ler.')
  return parsed.data
}

async function readLine(reader: Reader): Promise<unknown> {
  const linha = await reader.line(HEADER_MAX_BYTES)
  const sum = await reader.line(HEADER_MAX_BYTES)
  if (linha === null || sum !== sha256(linha)) {
    throw new Error('O arquivo está danificado, a chave não é a dele, ou não é uma exportação do Balcão.')
  }
  return JSON.parse(linha)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Sealing context of the value that proves the secret, in the header of one conta. */
export const secretContext = (move: string): string => `mudanca|canario|${move}`

export interface Reader {
  /** Next line without its newline. Null if no newline follows within `maximo` bytes. */
  readonly line: (max: number) => Promise<string | null>
  readonly bytes: (count: number) => AsyncGenerator<Buffer>
  readonly ended: () => Promise<boolean>
}

const NEWLINE = 10

export function createReader(source: AsyncIterable<Buffer>): Reader {
  const chunks = source[Symbol.asyncIterator]()
  let current: Buffer = Buffer.alloc(0)

  const fill = async (): Promise<boolean> => {
    while (current.length === 0) {
      const proximo = await chunks.next()
      if (proximo.done === true) return false
      current = proximo.value
    }
    return true
  }
  const take = (count: number): Buffer => {
    const part = current.subarray(0, count)
    current = current.subarray(part.length)
    return part
  }

  return {
    ended: async () => !(await fill()),
    bytes: async function* (count) {
      for (let faltam = count; faltam > 0 && (await fill());) {
        const part = take(faltam)
        faltam -= part.length
        yield part
      }
    },
    line: async (max) => {
      const parts: Buffer[] = []
      for (let parsed = 0; parsed <= max && (await fill());) {
        const fim = current.indexOf(NEWLINE)
        const part = take(fim === -1 ? current.length : fim + 1)
        parts.push(fim === -1 ? part : part.subarray(0, -1))
        parsed += part.length
        if (fim !== -1) return Buffer.concat(parts).toString()
      }
      return null
    },
  }
}
