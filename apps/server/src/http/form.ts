import type { FastifyRequest } from 'fastify'
import { AppError } from '#errors.ts'

export interface FormFile {
  readonly field: string
  readonly name: string
  readonly bytes: Buffer
}

export interface ParsedForm {
  /** Text fields, unvalidated. A repeated field keeps its last value. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly file: FormFile | null
}

/**
 * Reads a `multipart/form-data` body with at most one file. Throws `arquivoGrande`, `corpoGrande` for too many parts,
 * or `dadosInvalidos` if the body is not such a form or is incomplete.
 */
export async function readForm(request: FastifyRequest): Promise<ParsedForm> {
  if (!request.isMultipart()) throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  const fields = new Map<string, unknown>()
  let file: FormFile | null = null
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') fields.set(part.fieldname, part.value)
      else file = { field: part.fieldname, name: part.filename ?? '', bytes: await part.toBuffer() }
    }
  } catch (error) {
    throw toFormError(error)
  }
  return { fields: Object.fromEntries(fields), file }
}

/** The errors of the parser have neither a status nor a Portuguese text. Each one has its cause in the body. */
function toFormError(error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('arquivoGrande')
  if (code === 'FST_FILES_LIMIT') return new AppError('dadosInvalidos', { erro: 'Envie um arquivo de cada vez' })
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return new AppError('corpoGrande')
  return new AppError('dadosInvalidos', { erro: 'O formulário chegou incompleto. Envie de novo.' })
}
