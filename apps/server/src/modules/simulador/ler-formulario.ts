import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { type MensagemSimuladaEntrada, mensagemSimuladaEntradaSchema } from '@balcao/contract/entities/simulador'
import { AppError } from '#errors.ts'
import { cleanJson } from '#http/sanitize.ts'

export type MensagemDoFormulario = MensagemSimuladaEntrada & { readonly midia?: Midia }

/** A picture may come without a caption. */
const comImagemSchema = z.extend(mensagemSimuladaEntradaSchema, {
  texto: z._default(z.string().check(z.trim(), z.maxLength(TEXTO_MAXIMO)), ''),
})

/** The customer's message as JSON, or as a form when it carries a picture. Throws `dadosInvalidos`, `imagemInvalida`. */
export async function lerMensagem(request: FastifyRequest): Promise<MensagemDoFormulario> {
  if (!request.isMultipart()) return validar(mensagemSimuladaEntradaSchema, request.body ?? {})
  const { campos, midia } = await lerPartes(request)
  if (midia === undefined) return validar(mensagemSimuladaEntradaSchema, campos)
  return { ...validar(comImagemSchema, campos), midia }
}

async function lerPartes(request: FastifyRequest): Promise<{ campos: Record<string, unknown>; midia?: Midia }> {
  const campos: Record<string, unknown> = {}
  let midia: Midia | undefined
  for await (const parte of request.parts()) {
    if (parte.type === 'field') {
      campos[parte.fieldname] = parte.value === 'true' ? true : parte.value === 'false' ? false : parte.value
      continue
    }
    const tamanhoBytes = (await parte.toBuffer()).length
    if (!parte.mimetype.startsWith('image/')) throw new AppError('imagemInvalida')
    midia = { tipo: 'imagem', nomeArquivo: parte.filename.slice(0, 200), mimeType: parte.mimetype, tamanhoBytes }
  }
  return midia === undefined ? { campos } : { campos, midia }
}

function validar<S extends z.ZodMiniType>(schema: S, valor: unknown): z.output<S> {
  const lido = schema.safeParse(cleanJson(valor))
  if (lido.success) return lido.data
  const detalhes = lido.error.issues.map((issue) => ({ caminho: issue.path.join('.'), mensagem: issue.message }))
  throw new AppError('dadosInvalidos', { erro: detalhes[0]?.mensagem, detalhes })
}
