import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { lerProdutoForm } from '@balcao/contract/entities/produto'
import { AppError } from '#errors.ts'
import { lerFormulario } from '#http/formulario.ts'
import { parseShape } from '#http/parse-shape.ts'
import { conferirImagem } from '#modules/arquivos/index.ts'

export interface DoFormulario<T> {
  readonly dados: T
  readonly imagem: Buffer | null
}

/**
 * Parses a produto from JSON, or from a form with a picture in the field `imagem`. Throws `dadosInvalidos`,
 * `imagemInvalida`, `imagemGrande`.
 */
export async function lerProduto<S extends z.ZodMiniType>(
  request: FastifyRequest,
  schema: S,
): Promise<DoFormulario<z.output<S>>> {
  if (!request.isMultipart()) return { dados: parseShape(schema, request.body ?? {}), imagem: null }
  const { campos, imagem } = await lerImagem(request, 'imagem')
  return { dados: parseShape(schema, lerProdutoForm(campos)), imagem }
}

export async function lerUpload(request: FastifyRequest): Promise<Buffer> {
  const { imagem } = await lerImagem(request, 'arquivo')
  if (imagem === null) throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  return imagem
}

interface FormularioComImagem {
  readonly campos: Readonly<Record<string, string>>
  readonly imagem: Buffer | null
}

async function lerImagem(request: FastifyRequest, campo: string): Promise<FormularioComImagem> {
  const { campos, arquivo } = await lerFormulario(request).catch((error: unknown) => {
    throw error instanceof AppError && error.codigo === 'arquivoGrande' ? new AppError('imagemGrande') : error
  })
  const textos = Object.entries(campos).flatMap(([nome, valor]) => (typeof valor === 'string' ? [[nome, valor]] : []))
  // Browsers send an empty file if none was chosen.
  const vazio = arquivo === null || (arquivo.nome === '' && arquivo.bytes.length === 0)
  if (!vazio && arquivo.campo !== campo) {
    throw new AppError('dadosInvalidos', { erro: `Envie a imagem no campo ${campo}` })
  }
  if (!vazio) conferirImagem(arquivo.bytes)
  return { campos: Object.fromEntries(textos), imagem: vazio ? null : arquivo.bytes }
}
