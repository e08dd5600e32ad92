import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { parseProdutoForm as parseFormFields } from '@balcao/contract/entities/produto'
import { AppError } from '#errors.ts'
import { readForm } from '#http/formulario.ts'
import { parseShape } from '#http/parse-shape.ts'
import { checkImage } from '#modules/arquivos/index.ts'

export interface FormInput<T> {
  readonly dados: T
  readonly imagem: Buffer | null
}

/**
 * Parses a produto from JSON, or from a form with a picture in the field `imagem`. Throws `dadosInvalidos`,
 * `imagemInvalida`, `imagemGrande`.
 */
export async function parseProdutoForm<S extends z.ZodMiniType>(
  request: FastifyRequest,
  schema: S,
): Promise<FormInput<z.output<S>>> {
  if (!request.isMultipart()) return { dados: parseShape(schema, request.body ?? {}), imagem: null }
  const { campos, imagem } = await parseImageForm(request, 'imagem')
  return { dados: parseShape(schema, parseFormFields(campos)), imagem }
}

export async function parseUploadForm(request: FastifyRequest): Promise<Buffer> {
  const { imagem } = await parseImageForm(request, 'arquivo')
  if (imagem === null) throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  return imagem
}

interface FormWithImage {
  readonly campos: Readonly<Record<string, string>>
  readonly imagem: Buffer | null
}

async function parseImageForm(request: FastifyRequest, field: string): Promise<FormWithImage> {
  const { fields, file } = await readForm(request).catch((error: unknown) => {
    throw error instanceof AppError && error.codigo === 'arquivoGrande' ? new AppError('imagemGrande') : error
  })
  const textos = Object.entries(fields).flatMap(([nome, valor]) => (typeof valor === 'string' ? [[nome, valor]] : []))
  // Browsers send an empty file if none was chosen.
  const vazio = file === null || (file.name === '' && file.bytes.length === 0)
  if (!vazio && file.field !== field) {
    throw new AppError('dadosInvalidos', { erro: `Envie a imagem no campo ${field}` })
  }
  if (!vazio) checkImage(file.bytes)
  return { campos: Object.fromEntries(textos), imagem: vazio ? null : file.bytes }
}
