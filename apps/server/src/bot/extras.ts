import * as z from 'zod/mini'
import type { Mensagem } from '@balcao/contract/entities/mensagem'

/** `mensagens.extras`: what became of a message, and what it quotes. */
export const extrasSchema = z.object({
  edicao: z.optional(z.string()),
  apagada: z.optional(z.boolean()),
  citada: z.optional(z.object({ texto: z.string(), nossa: z.boolean() })),
  reacaoCliente: z.optional(z.string()),
  reacaoLoja: z.optional(z.string()),
})
export type Extras = z.infer<typeof extrasSchema>

/** As the panel shows it. */
export function toMarcas(
  extras: Extras | null | undefined,
): Pick<Mensagem, 'editada' | 'edicao' | 'apagada' | 'citada' | 'reacoes'> {
  if (extras === null || extras === undefined) return {}
  const { edicao, apagada, citada, reacaoCliente, reacaoLoja } = extras
  const reacoes = [reacaoCliente, reacaoLoja].filter((uma) => uma !== undefined)
  return {
    ...(edicao === undefined ? {} : { editada: true, edicao }),
    ...(apagada === true ? { apagada } : {}),
    ...(citada === undefined ? {} : { citada }),
    ...(reacoes.length === 0 ? {} : { reacoes }),
  }
}
