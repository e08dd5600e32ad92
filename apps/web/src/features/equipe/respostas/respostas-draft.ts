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
