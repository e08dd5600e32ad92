import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { NotaConversa } from '@balcao/contract/entities/nota'

export type TimelineEntry =
  | { readonly tipo: 'mensagem'; readonly em: string; readonly mensagem: Mensagem }
  | { readonly tipo: 'nota'; readonly em: string; readonly nota: NotaConversa }

const NO_NOTAS: readonly NotaConversa[] = []

/**
 * Assigns each nota to the page of mensagens in whose time it was written. With older pages on the server, notas older
 * than the first mensagem are left out, because their place is not known yet. All lists are oldest first.
 */
export function notasByPage(
  pages: readonly (readonly Mensagem[])[],
  notas: readonly NotaConversa[],
  hasOlder: boolean,
): readonly (readonly NotaConversa[])[] {
  const first = pages[0]?.[0]?.timestamp ?? ''
  return pages.map((_, index) => {
    const from = index === 0 ? (hasOlder ? first : '') : (pages[index]?.[0]?.timestamp ?? '')
    const until = pages[index + 1]?.[0]?.timestamp
    const own = notas.filter(({ criadaEm }) => criadaEm >= from && (until === undefined || criadaEm < until))
    return own.length === 0 ? NO_NOTAS : own
  })
}

/** Mensagens keep the order of the server. Each nota follows the last mensagem that is not newer. */
export function mergeTimeline(mensagens: readonly Mensagem[], notas: readonly NotaConversa[]): TimelineEntry[] {
  const entries: TimelineEntry[] = []
  let next = 0
  const addNotasBefore = (em: string | null): void => {
    for (let nota = notas[next]; nota !== undefined && (em === null || nota.criadaEm < em); nota = notas[next]) {
      entries.push({ tipo: 'nota', em: nota.criadaEm, nota })
      next += 1
    }
  }
  for (const mensagem of mensagens) {
    addNotasBefore(mensagem.timestamp)
    entries.push({ tipo: 'mensagem', em: mensagem.timestamp, mensagem })
  }
  addNotasBefore(null)
  return entries
}
