import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import type { ErrorDetail } from '@balcao/contract/errors'

/** A quick reply in the draft. It has a local key, because the shortcut changes while typing. */
export interface DraftResposta extends RespostaRapida {
  readonly key: string
  /** The server's version at load. Null for a line added here. */
  readonly before: RespostaRapida | null
}

export type RespostasDraft = readonly DraftResposta[]

export const RESPOSTAS_MAX = 100
export const RESPOSTA_TEXT_MAX = 4096

export interface RespostaErrors {
  readonly atalho?: string
  readonly texto?: string
}
export type RespostasErrors = Readonly<Record<string, RespostaErrors>>

/** Keeps the previous keys by position, so the focused field stays mounted. */
export function openRespostasDraft(respostas: readonly RespostaRapida[], before: RespostasDraft = []): RespostasDraft {
  return respostas.map((reply, indice) => ({
    ...reply,
    key: before[indice]?.key ?? crypto.randomUUID(),
    before: reply,
  }))
}

export function normalizeResposta({ atalho, texto }: RespostaRapida): RespostaRapida {
  return { atalho: atalho.trim().toLowerCase(), texto: texto.trim() }
}

export function closeRespostasDraft(draft: RespostasDraft): RespostaRapida[] {
  return draft.map(normalizeResposta)
}

/** Keeps edits made during the save and rebases them on the stored lines. */
export function rebaseDraft(
  draft: RespostasDraft,
  savedDraft: RespostasDraft,
  saved: readonly RespostaRapida[],
): RespostasDraft {
  if (draft === savedDraft) return openRespostasDraft(saved, savedDraft)
  const stored = new Map(savedDraft.map(({ key }, indice) => [key, saved[indice] ?? null]))
  return draft.map((uma) => ({ ...uma, before: stored.get(uma.key) ?? uma.before }))
}

export function isEqualTo(draft: RespostasDraft, respostas: readonly RespostaRapida[]): boolean {
  return (
    draft.length === respostas.length &&
    draft.every((uma, i) => uma.atalho === respostas[i]?.atalho && uma.texto === respostas[i].texto)
  )
}

/** Local validation. A duplicate shortcut is an error of the second line. */
export function checkRespostas(draft: RespostasDraft): RespostasErrors {
  const seen = new Set<string>()
  const missing: Record<string, RespostaErrors> = {}
  for (const { key, atalho: written, texto } of draft) {
    const atalho = written.trim().toLowerCase()
    const falta = {
      ...atalhoError(atalho, seen.has(atalho)),
      ...(texto.trim() === '' ? { texto: 'Escreva o texto' } : {}),
    }
    seen.add(atalho)
    if (Object.keys(falta).length > 0) missing[key] = falta
  }
  return missing
}

function atalhoError(atalho: string, repeated: boolean): RespostaErrors {
  if (atalho === '') return { atalho: 'Informe o atalho' }
  if (!/^[a-z0-9_-]{1,30}$/.test(atalho)) return { atalho: 'Use até 30 letras sem acento, números, - ou _' }
  return repeated ? { atalho: `O atalho /${atalho} já está em uso` } : {}
}

export function respostasErrorsOf(draft: RespostasDraft, details: readonly ErrorDetail[]): RespostasErrors {
  const missing: Record<string, RespostaErrors> = {}
  for (const { caminho, mensagem } of details) {
    const parts = /^respostas\.(\d+)\.(atalho|texto)$/.exec(caminho)
    const linha = draft[Number(parts?.[1])]
    if (linha === undefined) continue
    missing[linha.key] = { ...missing[linha.key], [parts?.[2] === 'texto' ? 'texto' : 'atalho']: mensagem }
  }
  return missing
}

/** Moves a line up (-1) or down (1). At the ends it does nothing. */
export function moveResposta(draft: RespostasDraft, key: string, step: -1 | 1): RespostasDraft {
  const de = draft.findIndex((uma) => uma.key === key)
  const moved = draft[de]
  if (moved === undefined) return draft
  return draft.toSpliced(de, 1).toSpliced(Math.max(0, de + step), 0, moved)
}

export function putBackResposta(draft: RespostasDraft, line: DraftResposta, index: number): RespostasDraft {
  return draft.some(({ key }) => key === line.key) ? draft : draft.toSpliced(index, 0, line)
}

/** Merge of local edits into a list that another user saved meanwhile. */

interface MergedRespostas {
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
