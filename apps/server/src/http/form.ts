import type { IncomingMessage } from 'node:http'
// Adds the methods of forms to the type of a request.
import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#errors.ts'
import { createGate } from '#lib/queue/gate.ts'

export interface FormFile {
  readonly field: string
  readonly name: string
  readonly bytes: Buffer
}

export interface ParsedForm {
  readonly fields: Readonly<Record<string, unknown>>
  readonly file: FormFile | null
}

/** A form is buffered with its file of up to 5 MB, rarely 10 MB, so 40 take 200 MB. The bodies of waiting requests stay unread. */
const forms = createGate({
  ...{ atOnce: 40, waiting: 200, waitMs: 15_000 },
  ...{ runningPerKey: () => 4, waitingPerKey: 8 },
  full: () => new AppError('servidorOcupado'),
})

/** A slower upload would hold its slot for minutes. The panel gives up after 2 minutes, which needs 43 KB/s for 5 MB. */
const PROGRESS_MS = 20_000
const PROGRESS_BYTES = 64_000

/**
 * Reads a `multipart/form-data` body with at most one file. Throws `arquivoGrande`, `corpoGrande` for too many parts,
 * `dadosInvalidos` if the body is not such a form or is incomplete, or `servidorOcupado` if too many forms are read.
 */
export async function readForm(
  request: FastifyRequest,
  contaId: string,
  { maxBytes }: { readonly maxBytes?: number } = {},
): Promise<ParsedForm> {
  if (!request.isMultipart()) throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  return forms.run(() => readParts(request, maxBytes), contaId)
}

/** The file of a form that must have one. Throws `dadosInvalidos` without a file, and for an empty one. */
export function chosenFile(file: FormFile | null): FormFile {
  if (file === null) throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  if (file.bytes.length === 0) throw new AppError('dadosInvalidos', { erro: 'Este arquivo está vazio.' })
  return file
}

async function readParts(request: FastifyRequest, maxBytes: number | undefined): Promise<ParsedForm> {
  // The client left while the request waited. The parser would wait for the end of the body.
  if (request.raw.destroyed) throw incomplete()
  const fields = new Map<string, unknown>()
  let file: FormFile | null = null
  const timer = cutWithoutProgress(request.raw)
  try {
    for await (const part of request.parts(maxBytes === undefined ? {} : { limits: { fileSize: maxBytes } })) {
      if (part.type === 'field') fields.set(part.fieldname, part.value)
      else file = { field: part.fieldname, name: part.filename ?? '', bytes: await part.toBuffer() }
    }
  } catch (error) {
    throw toFormError(error)
  } finally {
    clearInterval(timer)
  }
  return { fields: Object.fromEntries(fields), file }
}

/** Cuts the connection if 20 s bring less than 64 KB. */
function cutWithoutProgress(raw: IncomingMessage): NodeJS.Timeout {
  let before = raw.socket.bytesRead
  return setInterval(() => {
    const { bytesRead } = raw.socket
    if (!raw.complete && bytesRead - before < PROGRESS_BYTES) raw.destroy()
    before = bytesRead
  }, PROGRESS_MS)
}

/** The errors of the parser have neither a status nor a Portuguese text. Each one has its cause in the body. */
function toFormError(error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('arquivoGrande')
  if (code === 'FST_FILES_LIMIT') return new AppError('dadosInvalidos', { erro: 'Envie um arquivo de cada vez' })
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return new AppError('corpoGrande')
  return incomplete()
}

function incomplete(): AppError {
  return new AppError('dadosInvalidos', { erro: 'O formulário chegou incompleto. Envie de novo.' })
}
