import type { FastifyRequest } from 'fastify'
import { enviarMidiaFieldsSchema } from '@balcao/contract/routes/midias'
import { AppError } from '#errors.ts'
import { type FormFile, readForm } from '#http/form.ts'
import { parseShape } from '#http/parse-shape.ts'

export interface MidiaForm {
  readonly arquivo: FormFile
  readonly legenda: string
  readonly idTemporario?: string | undefined
  readonly citadaId?: string | undefined
}

export async function parseMidiaForm(request: FastifyRequest, contaId: string): Promise<MidiaForm> {
  const { fields, file } = await readForm(request, contaId)
  if (file === null || file.field !== 'arquivo') throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  return { ...parseShape(enviarMidiaFieldsSchema, fields), arquivo: file }
}
