/** Waits of a setor that an estimate is made of. */
export const WAITS_COUNTED = 30

/** The customer's place in the queue of the setor, for the texts. */
export interface QueuePlace {
  /** 1: next. */
  readonly posicao: number
  /** Minutes. Null: no estimate. */
  readonly espera: number | null
}

/** Returns the median of the last waits (ms, newest first) in minutes, at least 1. Null without waits. */
export function estimateWait(waits: readonly number[]): number | null {
  const last = waits.slice(0, WAITS_COUNTED).toSorted((a, b) => a - b)
  const [low, high] = [last[Math.floor((last.length - 1) / 2)], last[Math.floor(last.length / 2)]]
  if (low === undefined || high === undefined) return null
  return Math.max(1, Math.round((low + high) / 2 / 60_000))
}

const OPTIONAL_PART = /\[\[([\s\S]*?)\]\]/g

/**
 * Fills `{posicao}` and `{espera}`. A part between `[[` and `]]` is left out when there is no estimate, and otherwise
 * loses its brackets.
 */
export function fillQueuePlace(text: string, { posicao, espera }: QueuePlace): string {
  return text
    .replaceAll(OPTIONAL_PART, (_, part: string) => (espera === null ? '' : part))
    .replaceAll('{posicao}', String(posicao))
    .replaceAll('{espera}', espera === null ? '' : String(espera))
}

/** True if the text needs the place in the queue. */
export function namesQueuePlace(text: string): boolean {
  return /\{posicao\}|\{espera\}|\[\[/.test(text)
}
