import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { parseProdutoForm } from '@balcao/contract/entities/produto'
import { AppError } from '#errors.ts'
import { readForm } from '#http/form.ts'
import { parseShape } from '#http/parse-shape.ts'
import { checkImage } from '#modules/arquivos/index.ts'

interface FormRequest {
  readonly request: FastifyRequest
  readonly sessao: { readonly contaId: string }
}

export interface FormInput<T> {
  readonly dados: T
  readonly imagem: Buffer | null
}

/**
 * Parses a produto from JSON, or from a form with a picture in the field `imagem`. Throws `dadosInvalidos`,
 * `imagemInvalida`, `imagemGrande`.
 */
export async function readProdutoForm<S extends z.ZodMiniType>(
  { request, sessao }: FormRequest,
  schema: S,
): Promise<FormInput<z.output<S>>> {
  if (!request.isMultipart()) return { dados: parseShape(schema, request.body ?? {}), imagem: null }
  const { campos, imagem } = await parseImageForm({ request, sessao }, 'imagem')
  return { dados: parseShape(schema, parseProdutoForm(campos)), imagem }
}

export async function parseUploadForm(form: FormRequest): Promise<Buffer> {
  const { imagem } = await parseImageForm(form, 'arquivo')
  if (imagem === null) throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  return imagem
}

interface FormWithImage {
  readonly campos: Readonly<Record<string, string>>
  readonly imagem: Buffer | null
}

async function parseImageForm({ request, sessao }: FormRequest, field: string): Promise<FormWithImage> {
  const { fields, file } = await readForm(request, sessao.contaId).catch((error: unknown) => {
    throw error instanceof AppError && error.codigo === 'arquivoGrande' ? new AppError('imagemGrande') : error
  })
  const texts = Object.entries(fields).flatMap(([nome, value]) => (typeof value === 'string' ? [[nome, value]] : []))
  // Browsers send an empty file if none was chosen.
  const empty = file === null || (file.name === '' && file.bytes.length === 0)
  if (!empty && file.field !== field) {
    throw new AppError('dadosInvalidos', { erro: `Envie a imagem no campo ${field}` })
  }
  if (!empty) checkImage(file.bytes)
  return { campos: Object.fromEntries(texts), imagem: empty ? null : file.bytes }
}
