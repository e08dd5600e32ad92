import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import {
  type RespostaErrors,
  type RespostasErrors,
  normalizeResposta,
  type RespostasDraft,
  type DraftResposta,
} from './respostas-draft.ts'

/** Merge of local edits into a list that another user saved meanwhile. */

export interface MergedRespostas {
  readonly draft: RespostasDraft
  readonly errors: RespostasErrors
}

interface MergedLine {
  readonly line: DraftResposta
  readonly error?: RespostaErrors
}

const changedThere = (text: string): RespostaErrors => ({
  texto: `Outra pessoa mudou este texto para “${text}”. Salve de novo para ficar com o seu.`,
})
const REMOVED_THERE: RespostaErrors = { texto: 'Outra pessoa removeu esta resposta. Salve de novo para mantê-la.' }
const REMOVED_HERE: RespostaErrors = {
  texto: 'Você removeu esta resposta, mas outra pessoa a mudou. Remova de novo, ou salve para mantê-la.',
}

/** Merges a line that existed in `base`. Null if both removed it. */
function mergeLine(linha: DraftResposta, antes: RespostaRapida, dela: RespostaRapida | undefined): MergedLine | null {
  const { atalho, texto } = normalizeResposta(linha)
  const mudei = atalho !== antes.atalho || texto !== antes.texto
  if (dela === undefined) return mudei ? { line: { ...linha, before: null }, error: REMOVED_THERE } : null
  if (!mudei) return { line: { ...linha, ...dela, before: dela } }
  if (texto === antes.texto) return { line: { ...linha, texto: dela.texto, before: dela } }
  const junta = { line: { ...linha, before: dela } }
  return dela.texto === antes.texto || dela.texto === texto ? junta : { ...junta, error: changedThere(dela.texto) }
}

/** A line only the server has: null if it was removed here and is unchanged there. */
function theirLine(dela: RespostaRapida, antes: RespostaRapida | undefined): MergedLine | null {
  if (antes?.texto === dela.texto) return null
  const linha = { ...dela, key: crypto.randomUUID(), before: dela }
  return antes === undefined ? { line: linha } : { line: linha, error: REMOVED_HERE }
}

/** Inserts the lines that only `outra` has after the line that precedes them there. */
function interleave(principal: readonly MergedLine[], other: readonly MergedLine[]): readonly MergedLine[] {
  const chaveDe = (uma: MergedLine | undefined): string | undefined => uma?.line.key
  let all = principal
  for (const [index, uma] of other.entries()) {
    if (all.some((la) => chaveDe(la) === chaveDe(uma))) continue
    const previous = chaveDe(other[index - 1])
    all = all.toSpliced(all.findIndex((la) => chaveDe(la) === previous) + 1, 0, uma)
  }
  return all
}

function isReordered(rascunho: RespostasDraft, base: readonly RespostaRapida[]): boolean {
  const mine = rascunho.flatMap(({ before }) => (before === null ? [] : [before.atalho]))
  const order = base.filter(({ atalho }) => mine.includes(atalho))
  return order.some(({ atalho }, i) => atalho !== mine[i])
}

/** Three-way merge of the draft, the list it started from, and the server's current list. */
export function mergeRespostas(
  draft: RespostasDraft,
  base: readonly RespostaRapida[],
  theirs: readonly RespostaRapida[],
): MergedRespostas {
  const dela = new Map(theirs.map((uma) => [uma.atalho, uma]))
  const juntas = new Map<RespostaRapida, MergedLine>()
  const minhas: MergedLine[] = []
  for (const linha of draft) {
    const { before } = linha
    const equal = before === null ? dela.get(normalizeResposta(linha).atalho) : dela.get(before.atalho)
    // Added by both: an equal text becomes one line. Different texts stay two lines, and the check rejects the
    // equal shortcut.
    const same = before !== null || equal?.texto === normalizeResposta(linha).texto
    const fresh: MergedLine | null =
      before === null ? { line: { ...linha, before: same ? (equal ?? null) : null } } : mergeLine(linha, before, equal)
    if (fresh !== null) minhas.push(fresh)
    if (fresh !== null && same && equal !== undefined) juntas.set(equal, fresh)
  }
  const porAtalho = new Map(base.map((uma) => [uma.atalho, uma]))
  const todasDelas = theirs.flatMap((uma) => juntas.get(uma) ?? theirLine(uma, porAtalho.get(uma.atalho)) ?? [])
  const lines = isReordered(draft, base) ? interleave(minhas, todasDelas) : interleave(todasDelas, minhas)
  const missing = lines.flatMap(({ line, error }) => (error === undefined ? [] : [[line.key, error] as const]))
  return { draft: lines.map(({ line }) => line), errors: Object.fromEntries(missing) }
}
