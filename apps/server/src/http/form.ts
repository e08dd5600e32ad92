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
 * Reads a `multipart/form-data` body with at most one file. Throws `arquivoGrande`, or `dadosInvalidos` if it is
 * not such a form.
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

function toFormError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('arquivoGrande')
  if (code === 'FST_FILES_LIMIT') return new AppError('dadosInvalidos', { erro: 'Envie um arquivo de cada vez' })
  return error
}
