import type { VersionedConfig } from '@balcao/contract/entities/config'
import { setContaZone } from '#shared/time-zone.ts'

/** Fallback copy of the configuration, one per account. It never contains keys, not even masked. */

function copyKey(contaId: string): string {
  return `copia:config:${contaId}`
}

/** Stores the copy. Sets the account's time zone first, before any time is drawn. */
export function storeConfigCopy(contaId: string, config: VersionedConfig): void {
  setContaZone(config.atendimento.horario.fuso)
  const semChaves = { ...config, gemini: { apiKey: '' }, ia: { ...config.ia, apiKey: '' } }
  try {
    localStorage.setItem(copyKey(contaId), JSON.stringify(semChaves))
  } catch {
    // Storage is full or blocked: only the fallback is lost.
  }
}

export function readConfigCopy(contaId: string): VersionedConfig | null {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(copyKey(contaId)) ?? 'null')
    return isConfigCopy(parsed) ? parsed : null
  } catch {
    return null
  }
}

/** Ignores the copy of an older version that lacks a part. */
function isConfigCopy(value: unknown): value is VersionedConfig {
  if (typeof value !== 'object' || value === null) return false
  return ['whatsapp', 'gemini', 'ia', 'menu', 'atendimento', 'versao'].every((part) => part in value)
}
