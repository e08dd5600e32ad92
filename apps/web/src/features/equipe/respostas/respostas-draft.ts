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
  readonly setores?: string
}
export type RespostasErrors = Readonly<Record<string, RespostaErrors>>

/** Keeps the previous keys by position, so the focused field stays mounted. */
export function openRespostasDraft(respostas: readonly RespostaRapida[], before: RespostasDraft = []): RespostasDraft {
  return respostas.map((reply, index) => ({
    ...reply,
    key: before[index]?.key ?? crypto.randomUUID(),
    before: reply,
  }))
}

export function normalizeResposta({ atalho, texto, setores }: RespostaRapida): RespostaRapida {
  return { atalho: atalho.trim().toLowerCase(), texto: texto.trim(), setores }
}

function sameSetores(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id))
}

function isSame(a: RespostaRapida, b: RespostaRapida | undefined): boolean {
  return b !== undefined && a.atalho === b.atalho && a.texto === b.texto && sameSetores(a.setores, b.setores)
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
  const stored = new Map(savedDraft.map(({ key }, index) => [key, saved[index] ?? null]))
  return draft.map((line) => ({ ...line, before: stored.get(line.key) ?? line.before }))
}

export function isEqualTo(draft: RespostasDraft, respostas: readonly RespostaRapida[]): boolean {
  return draft.length === respostas.length && draft.every((line, i) => isSame(line, respostas[i]))
}

export function checkRespostas(draft: RespostasDraft): RespostasErrors {
  const seen = new Set<string>()
  const errors: Record<string, RespostaErrors> = {}
  for (const { key, atalho: written, texto } of draft) {
    const atalho = written.trim().toLowerCase()
    const found = {
      ...atalhoError(atalho, seen.has(atalho)),
      ...(texto.trim() === '' ? { texto: 'Escreva o texto' } : {}),
    }
    seen.add(atalho)
    if (Object.keys(found).length > 0) errors[key] = found
  }
  return errors
}

function atalhoError(atalho: string, repeated: boolean): RespostaErrors {
  if (atalho === '') return { atalho: 'Informe o atalho' }
  if (!/^[a-z0-9_-]{1,30}$/.test(atalho)) return { atalho: 'Use até 30 letras sem acento, números, - ou _' }
  return repeated ? { atalho: `O atalho /${atalho} já está em uso` } : {}
}

export function respostasErrorsOf(draft: RespostasDraft, details: readonly ErrorDetail[]): RespostasErrors {
  const errors: Record<string, RespostaErrors> = {}
  for (const { caminho, mensagem } of details) {
    const [, index, field = ''] = /^respostas\.(\d+)\.(atalho|texto|setores)(?:\.\d+)?$/.exec(caminho) ?? []
    const line = draft[Number(index)]
    if (line === undefined) continue
    errors[line.key] = { ...errors[line.key], [field]: mensagem }
  }
  return errors
}

export function moveResposta(draft: RespostasDraft, key: string, step: -1 | 1): RespostasDraft {
  const from = draft.findIndex((line) => line.key === key)
  const moved = draft[from]
  if (moved === undefined) return draft
  return draft.toSpliced(from, 1).toSpliced(Math.max(0, from + step), 0, moved)
}

export function putBackResposta(draft: RespostasDraft, line: DraftResposta, index: number): RespostasDraft {
  return draft.some(({ key }) => key === line.key) ? draft : draft.toSpliced(index, 0, line)
}

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
function mergeLine(line: DraftResposta, before: RespostaRapida, theirs: RespostaRapida | undefined): MergedLine | null {
  const { texto, setores } = normalizeResposta(line)
  const changedHere = !isSame(normalizeResposta(line), before)
  if (theirs === undefined) return changedHere ? { line: { ...line, before: null }, error: REMOVED_THERE } : null
  if (!changedHere) return { line: { ...line, ...theirs, before: theirs } }
  const kept = sameSetores(setores, before.setores) ? { ...line, setores: theirs.setores } : line
  if (texto === before.texto) return { line: { ...kept, texto: theirs.texto, before: theirs } }
  const merged = { line: { ...kept, before: theirs } }
  return theirs.texto === before.texto || theirs.texto === texto
    ? merged
    : { ...merged, error: changedThere(theirs.texto) }
}

/**
 * Merges a line added here. With the same text as a line added there it becomes that line. Different texts stay two
 * lines, and the check rejects the equal shortcut.
 */
function mergeAddedLine(line: DraftResposta, theirs: RespostaRapida | undefined): MergedLine {
  const same = theirs !== undefined && theirs.texto === normalizeResposta(line).texto
  return { line: { ...line, before: same ? theirs : null } }
}

/** A line only the server has: null if it was removed here and is unchanged there. */
function theirLine(theirs: RespostaRapida, before: RespostaRapida | undefined): MergedLine | null {
  if (before?.texto === theirs.texto) return null
  const line = { ...theirs, key: crypto.randomUUID(), before: theirs }
  return before === undefined ? { line } : { line, error: REMOVED_HERE }
}

/** Inserts the lines that only `other` has after the line that precedes them there. */
function interleave(main: readonly MergedLine[], other: readonly MergedLine[]): readonly MergedLine[] {
  const keyOf = (merged: MergedLine | undefined): string | undefined => merged?.line.key
  let all = main
  for (const [index, merged] of other.entries()) {
    if (all.some((line) => keyOf(line) === keyOf(merged))) continue
    const previous = keyOf(other[index - 1])
    all = all.toSpliced(all.findIndex((line) => keyOf(line) === previous) + 1, 0, merged)
  }
  return all
}

function isReordered(draft: RespostasDraft, base: readonly RespostaRapida[]): boolean {
  const mine = draft.flatMap(({ before }) => (before === null ? [] : [before.atalho]))
  const order = base.filter(({ atalho }) => mine.includes(atalho))
  return order.some(({ atalho }, i) => atalho !== mine[i])
}

export function mergeRespostas(
  draft: RespostasDraft,
  base: readonly RespostaRapida[],
  theirs: readonly RespostaRapida[],
): MergedRespostas {
  const theirsByAtalho = new Map(theirs.map((resposta) => [resposta.atalho, resposta]))
  const merged = new Map<RespostaRapida, MergedLine>()
  const mine: MergedLine[] = []
  for (const line of draft) {
    const { before } = line
    const equal = theirsByAtalho.get(before === null ? normalizeResposta(line).atalho : before.atalho)
    const fresh = before === null ? mergeAddedLine(line, equal) : mergeLine(line, before, equal)
    if (fresh === null) continue
    mine.push(fresh)
    if (equal !== undefined && (before !== null || fresh.line.before === equal)) merged.set(equal, fresh)
  }
  const baseByAtalho = new Map(base.map((resposta) => [resposta.atalho, resposta]))
  const all = theirs.flatMap(
    (resposta) => merged.get(resposta) ?? theirLine(resposta, baseByAtalho.get(resposta.atalho)) ?? [],
  )
  const lines = isReordered(draft, base) ? interleave(mine, all) : interleave(all, mine)
  const errors = lines.flatMap(({ line, error }) => (error === undefined ? [] : [[line.key, error] as const]))
  return { draft: lines.map(({ line }) => line), errors: Object.fromEntries(errors) }
}
