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

/**
 * Fills `{posicao}` and `{espera}`. A part between `[[` and `]]` is left out when there is no estimate, and otherwise
 * loses its brackets.
 */
export function fillQueuePlace(text: string, { posicao, espera }: QueuePlace): string {
  return replaceOptionalParts(text, espera !== null)
    .replaceAll('{posicao}', String(posicao))
    .replaceAll('{espera}', espera === null ? '' : String(espera))
}

/** Searches each end once, so a text of opening brackets takes linear time. */
function replaceOptionalParts(text: string, kept: boolean): string {
  let filled = ''
  let at = 0
  for (;;) {
    const begin = text.indexOf('[[', at)
    const end = begin === -1 ? -1 : text.indexOf(']]', begin + 2)
    if (end === -1) return filled + text.slice(at)
    filled += text.slice(at, begin) + (kept ? text.slice(begin + 2, end) : '')
    at = end + 2
  }
}

/** True if the text needs the place in the queue. */
export function namesQueuePlace(text: string): boolean {
  return /\{posicao\}|\{espera\}|\[\[/.test(text)
}
