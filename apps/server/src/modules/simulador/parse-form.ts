import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import { type MensagemSimuladaInput, mensagemSimuladaInputSchema } from '@balcao/contract/entities/simulador'
import { type FormFile, readForm } from '#http/form.ts'
import { parseShape } from '#http/parse-shape.ts'

export type SimulatedMessageForm = MensagemSimuladaInput & { readonly arquivo?: FormFile }

/** A file may have no caption. */
const withArquivoSchema = z.extend(mensagemSimuladaInputSchema, {
  texto: z._default(z.string().check(z.trim(), z.maxLength(TEXTO_MAXIMO)), ''),
})

/** Parses a simulated message from JSON, or from a form with a file. Throws `dadosInvalidos`, `arquivoGrande`. */
export async function parseSimulatedMessage(request: FastifyRequest, contaId: string): Promise<SimulatedMessageForm> {
  if (!request.isMultipart()) return parseShape(mensagemSimuladaInputSchema, request.body ?? {})
  const { fields, file } = await readForm(request, contaId)
  const parsed = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, BOOLEAN_FIELDS.has(name) ? toBoolean(value) : value]),
  )
  if (file === null) return parseShape(mensagemSimuladaInputSchema, parsed)
  return { ...parseShape(withArquivoSchema, parsed), arquivo: file }
}

const BOOLEAN_FIELDS: ReadonlySet<string> = new Set(['deMim', 'grupo'])

/** Form fields are text, so booleans are converted. */
function toBoolean(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value
}
