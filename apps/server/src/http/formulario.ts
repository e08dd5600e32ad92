import type { FastifyRequest } from 'fastify'
import { AppError } from '#errors.ts'

export interface ArquivoDoFormulario {
  readonly campo: string
  readonly nome: string
  readonly bytes: Buffer
}

export interface Formulario {
  /** Text fields, unvalidated. A repeated field keeps its last value. */
  readonly campos: Readonly<Record<string, unknown>>
  readonly arquivo: ArquivoDoFormulario | null
}

/**
 * Reads a `multipart/form-data` body with at most one file. Throws `arquivoGrande`, or `dadosInvalidos` if it is
 * not such a form.
 */
export async function lerFormulario(request: FastifyRequest): Promise<Formulario> {
  if (!request.isMultipart()) throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  const campos = new Map<string, unknown>()
  let arquivo: ArquivoDoFormulario | null = null
  try {
    for await (const parte of request.parts()) {
      if (parte.type === 'field') campos.set(parte.fieldname, parte.value)
      else arquivo = { campo: parte.fieldname, nome: parte.filename ?? '', bytes: await parte.toBuffer() }
    }
  } catch (error) {
    throw recusa(error)
  }
  return { campos: Object.fromEntries(campos), arquivo }
}

function recusa(error: unknown): unknown {
  const codigo = error instanceof Error && 'code' in error ? error.code : undefined
  if (codigo === 'FST_REQ_FILE_TOO_LARGE') return new AppError('arquivoGrande')
  if (codigo === 'FST_FILES_LIMIT') return new AppError('dadosInvalidos', { erro: 'Envie um arquivo de cada vez' })
  return error
}
