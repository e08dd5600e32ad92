/** The API key is masked on output. A masked value on input means "unchanged". */

const MASK = '••••••••'
const VISIBLE_TAIL = 4
const MIN_LENGTH_FOR_TAIL = 12

export function maskKey(key: string): string {
  if (key === '') return ''
  return key.length < MIN_LENGTH_FOR_TAIL ? MASK : MASK + key.slice(-VISIBLE_TAIL)
}

function isMask(value: string): boolean {
  return value.startsWith(MASK)
}

export function resolveSentKey(current: string, sent: string | undefined): string {
  const value = sent?.trim()
  return value === undefined || isMask(value) ? current : value
}

/** One key: the settings page writes the first field, the AI page both. The first changed field wins. */
export function resolveApiKey(
  current: string,
  sent: { readonly gemini: string; readonly ia: string },
  allowed: { readonly gemini: boolean; readonly ia: boolean },
): string {
  const candidates = [...(allowed.gemini ? [sent.gemini] : []), ...(allowed.ia ? [sent.ia] : [])]
  const changed = candidates.map((value) => value.trim()).find((value) => !isMask(value) && value !== current)
  return changed ?? current
}
