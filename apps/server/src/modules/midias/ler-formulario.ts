import type { FastifyRequest } from 'fastify'
import { enviarMidiaCamposSchema } from '@balcao/contract/routes/midias'
import { AppError } from '#errors.ts'
import { type ArquivoDoFormulario, lerFormulario } from '#http/formulario.ts'
import { parseShape } from '#http/parse-shape.ts'

export interface MidiaDoFormulario {
  readonly arquivo: ArquivoDoFormulario
  readonly legenda: string
  readonly idTemporario?: string | undefined
  readonly citadaId?: string | undefined
}

export async function lerMidia(request: FastifyRequest): Promise<MidiaDoFormulario> {
  const { campos, arquivo } = await lerFormulario(request)
  if (arquivo === null || arquivo.campo !== 'arquivo')
    throw new AppError('dadosInvalidos', { erro: 'Escolha um arquivo' })
  return { ...parseShape(enviarMidiaCamposSchema, campos), arquivo }
}
