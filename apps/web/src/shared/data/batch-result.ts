import type { Lote } from '@balcao/contract/entities/lote'

/** Reason in few words, as part of a list. */
const REASONS: Readonly<Record<string, string>> = {
  conversaFinalizada: 'já finalizada',
  conversaAssumida: 'com outra pessoa',
  janelaFechada: 'sem mensagem do cliente há 24 horas',
  limiteDiario: 'limite diário atingido',
  naoEncontrado: 'não encontrada',
  operadorForaDoSetor: 'a pessoa não atende o setor',
  setorDesconhecido: 'o setor não existe mais',
}

/** Names each refused item with its reason. Empty when none was refused. */
export function refusedText({ recusadas }: Lote, nameOf: (id: string) => string): string {
  return recusadas.map(({ id, codigo }) => `${nameOf(id)}: ${REASONS[codigo] ?? 'recusada'}`).join('\n')
}
