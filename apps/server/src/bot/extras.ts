import type { Mensagem } from '@balcao/contract/entities/mensagem'

/** `mensagens.extras`: what became of a message, and what it quotes. */
export interface Extras {
  readonly edicao?: string
  readonly apagada?: boolean
  readonly citada?: { readonly texto: string; readonly nossa: boolean }
  readonly reacaoCliente?: string
  readonly reacaoLoja?: string
}

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
