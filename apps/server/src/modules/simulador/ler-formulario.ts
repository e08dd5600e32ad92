import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import { type MensagemSimuladaEntrada, mensagemSimuladaEntradaSchema } from '@balcao/contract/entities/simulador'
import { AppError } from '#errors.ts'
import { type ArquivoDoFormulario, lerFormulario } from '#http/formulario.ts'
import { cleanJson } from '#http/sanitize.ts'

export type MensagemDoFormulario = MensagemSimuladaEntrada & { readonly arquivo?: ArquivoDoFormulario }

/** A file may come without a caption. */
const comArquivoSchema = z.extend(mensagemSimuladaEntradaSchema, {
  texto: z._default(z.string().check(z.trim(), z.maxLength(TEXTO_MAXIMO)), ''),
})

/** The customer's message as JSON, or as a form when it carries a file. Throws `dadosInvalidos`, `arquivoGrande`. */
export async function lerMensagem(request: FastifyRequest): Promise<MensagemDoFormulario> {
  if (!request.isMultipart()) return validar(mensagemSimuladaEntradaSchema, request.body ?? {})
  const { campos, arquivo } = await lerFormulario(request)
  const lidos = Object.fromEntries(Object.entries(campos).map(([nome, valor]) => [nome, comoJson(valor)]))
  if (arquivo === null) return validar(mensagemSimuladaEntradaSchema, lidos)
  return { ...validar(comArquivoSchema, lidos), arquivo }
}

/** A form knows only text. */
function comoJson(valor: unknown): unknown {
  return valor === 'true' ? true : valor === 'false' ? false : valor
}

function validar<S extends z.ZodMiniType>(schema: S, valor: unknown): z.output<S> {
  const lido = schema.safeParse(cleanJson(valor))
  if (lido.success) return lido.data
  const detalhes = lido.error.issues.map((issue) => ({ caminho: issue.path.join('.'), mensagem: issue.message }))
  throw new AppError('dadosInvalidos', { erro: detalhes[0]?.mensagem, detalhes })
}
