import type * as z from 'zod/mini'
import { ERROS } from '@balcao/contract/errors'
import { AppError } from '#errors.ts'
import { cleanJson } from './sanitize.ts'

/** Text for issues without their own message. The validator's global language of another library must not appear. */
const defaultIssueText = { error: (): string => ERROS.dadosInvalidos.erro }

/** Validates a value from a client and cleans its texts. Throws `dadosInvalidos` with the path of each issue. */
export function parseShape<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(cleanJson(value), defaultIssueText)
  if (parsed.success) return parsed.data
  const detalhes = parsed.error.issues.map(({ path, message }) => ({ caminho: path.join('.'), mensagem: message }))
  throw new AppError('dadosInvalidos', { erro: detalhes[0]?.mensagem, detalhes })
}
