import * as z from 'zod/mini'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { MensagemTarget } from '@balcao/connector/port'

/** Column `mensagens.extras`: edits, reactions and the quoted message. */
export const mensagemMarksSchema = z.object({
  edicao: z.optional(z.string()),
  apagada: z.optional(z.boolean()),
  /** `alvo`: id of the quoted message at the service. Only set for replies of operadores. */
  citada: z.optional(z.object({ texto: z.string(), nossa: z.boolean(), alvo: z.optional(z.string()) })),
  reacaoCliente: z.optional(z.string()),
  reacaoLoja: z.optional(z.string()),
  ligacao: z.optional(z.enum(['voz', 'video'])),
})
export type MensagemMarks = z.infer<typeof mensagemMarksSchema>

export function marksView(
  extras: MensagemMarks | null | undefined,
): Pick<Mensagem, 'editada' | 'edicao' | 'apagada' | 'citada' | 'reacoes' | 'reacaoLoja' | 'ligacao'> {
  if (extras === null || extras === undefined) return {}
  const { edicao, apagada, citada, reacaoCliente, reacaoLoja, ligacao } = extras
  const reacoes = [reacaoCliente, reacaoLoja].filter((uma) => uma !== undefined)
  return {
    ...(edicao === undefined ? {} : { editada: true, edicao }),
    ...(apagada === true ? { apagada } : {}),
    ...(citada === undefined ? {} : { citada: { texto: citada.texto, nossa: citada.nossa } }),
    ...(reacoes.length === 0 ? {} : { reacoes }),
    ...(reacaoLoja === undefined ? {} : { reacaoLoja }),
    ...(ligacao === undefined ? {} : { ligacao }),
  }
}

export function quotedOf(extras: MensagemMarks | null | undefined): { citada?: MensagemTarget } {
  const { texto, nossa, alvo } = extras?.citada ?? {}
  return texto === undefined || nossa === undefined || alvo === undefined ? {} : { citada: { id: alvo, nossa, texto } }
}
