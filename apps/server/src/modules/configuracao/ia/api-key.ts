import { PROVEDORES_IA } from '@balcao/contract/constants'
import type { Config } from '@balcao/contract/entities/config'
import { type ChavesIa, chavesOf, withChaves } from '@balcao/contract/presets/provedores-ia'

/** API keys are masked on output. A masked value on input means "unchanged". */

const MASK = '••••••••'
const VISIBLE_TAIL = 4
const MIN_LENGTH_FOR_TAIL = 12

export function maskKey(key: string): string {
  if (key === '') return ''
  return key.length < MIN_LENGTH_FOR_TAIL ? MASK : MASK + key.slice(-VISIBLE_TAIL)
}

export function isMask(value: string): boolean {
  return value.startsWith(MASK)
}

export function resolveSentKey(current: string, sent: string | undefined): string {
  const value = sent?.trim()
  return value === undefined || isMask(value) ? current : value
}

export function mapKeys(chaves: ChavesIa, change: (key: string, provedor: keyof ChavesIa) => string): ChavesIa {
  return {
    gemini: change(chaves.gemini, 'gemini'),
    openai: change(chaves.openai, 'openai'),
    anthropic: change(chaves.anthropic, 'anthropic'),
    compativel: change(chaves.compativel, 'compativel'),
  }
}

export function withMaskedKeys(config: Config): Config {
  return withChaves(config, mapKeys(chavesOf(config), maskKey))
}

export const NO_KEYS: ChavesIa = { gemini: '', openai: '', anthropic: '', compativel: '' }

export function changedKeysOf(before: Config, after: Config): (keyof ChavesIa)[] {
  const [old, fresh] = [chavesOf(before), chavesOf(after)]
  return PROVEDORES_IA.filter((provedor) => old[provedor] !== fresh[provedor])
}

/**
 * The keys in force after a save. The settings page writes the first field of Gemini's key, the AI page both: the first
 * changed field wins. The other keys belong to the AI page.
 */
export function resolveKeys(
  current: Config,
  sent: Config,
  allowed: { readonly gemini: boolean; readonly ia: boolean },
): ChavesIa {
  const stored = chavesOf(current)
  const others = allowed.ia ? chavesOf(sent) : stored
  return mapKeys(stored, (key, provedor) => {
    if (provedor !== 'gemini') return resolveSentKey(key, others[provedor])
    const candidates = [...(allowed.gemini ? [sent.gemini.apiKey] : []), ...(allowed.ia ? [sent.ia.apiKey] : [])]
    const changed = candidates.map((value) => value.trim()).find((value) => !isMask(value) && value !== key)
    return changed ?? key
  })
}
