import type * as z from 'zod/mini'
import { ERROS } from '@balcao/contract/errors'
import { AppError } from '#errors.ts'
import { cleanJson } from './sanitize.ts'

/** What the contract says in no words of its own, whatever language a library gave the validator for all the process. */
const semPalavras = { error: (): string => ERROS.dadosInvalidos.erro }

/** What somebody sent, cleaned and in the schema's shape. Throws `dadosInvalidos` with the path of each fault. */
export function parseShape<S extends z.ZodMiniType>(schema: S, valor: unknown): z.output<S> {
  const lido = schema.safeParse(cleanJson(valor), semPalavras)
  if (lido.success) return lido.data
  const detalhes = lido.error.issues.map(({ path, message }) => ({ caminho: path.join('.'), mensagem: message }))
  throw new AppError('dadosInvalidos', { erro: detalhes[0]?.mensagem, detalhes })
}
