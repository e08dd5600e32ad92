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

/** Says how many were refused, with the number of each reason. */
export function refusedCounts({ feitas, recusadas }: Lote): string {
  const counts = new Map<string, number>()
  for (const { codigo } of recusadas) {
    const reason = REASONS[codigo] ?? 'recusada'
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const reasons = [...counts].map(([reason, count]) => `${reason} (${count})`)
  const changed = recusadas.length === 1 ? 'não mudou' : 'não mudaram'
  return `${recusadas.length} de ${feitas.length + recusadas.length} ${changed}: ${reasons.join(', ')}.`
}
