import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import { type MensagemSimuladaEntrada, mensagemSimuladaEntradaSchema } from '@balcao/contract/entities/simulador'
import { type ArquivoDoFormulario, lerFormulario } from '#http/formulario.ts'
import { parseShape } from '#http/parse-shape.ts'

export type MensagemDoFormulario = MensagemSimuladaEntrada & { readonly arquivo?: ArquivoDoFormulario }

/** A file may have no caption. */
const comArquivoSchema = z.extend(mensagemSimuladaEntradaSchema, {
  texto: z._default(z.string().check(z.trim(), z.maxLength(TEXTO_MAXIMO)), ''),
})

/** Parses a simulated message from JSON, or from a form with a file. Throws `dadosInvalidos`, `arquivoGrande`. */
export async function lerMensagem(request: FastifyRequest): Promise<MensagemDoFormulario> {
  if (!request.isMultipart()) return parseShape(mensagemSimuladaEntradaSchema, request.body ?? {})
  const { campos, arquivo } = await lerFormulario(request)
  const lidos = Object.fromEntries(
    Object.entries(campos).map(([nome, valor]) => [nome, SIM_OU_NAO.has(nome) ? comoJson(valor) : valor]),
  )
  if (arquivo === null) return parseShape(mensagemSimuladaEntradaSchema, lidos)
  return { ...parseShape(comArquivoSchema, lidos), arquivo }
}

const SIM_OU_NAO: ReadonlySet<string> = new Set(['deMim', 'grupo'])

/** Form fields are text, so booleans are converted. */
function comoJson(valor: unknown): unknown {
  return valor === 'true' ? true : valor === 'false' ? false : valor
}
