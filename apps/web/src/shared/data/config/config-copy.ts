import type { VersionedConfig } from '@balcao/contract/entities/config'
import { readCopy, readSession, storeCopy } from '#shared/storage.ts'
import { setContaZone } from '#shared/time-zone.ts'

/** Fallback copy of the configuration, one per account. It never contains keys, not even masked. */

/**
 * Stores the copy. Sets the account's time zone first, before any time is drawn. An answer that arrives after the logout
 * changes nothing.
 */
export function storeConfigCopy(contaId: string, config: VersionedConfig): void {
  if (readSession()?.usuario.contaId !== contaId) return
  setContaZone(config.atendimento.horario.fuso)
  const semChaves = { ...config, gemini: { apiKey: '' }, ia: { ...config.ia, apiKey: '' } }
  storeCopy('config', contaId, semChaves)
}

export function readConfigCopy(contaId: string): VersionedConfig | null {
  const copy = readCopy('config', contaId)
  return isConfigCopy(copy) ? copy : null
}

/** Ignores the copy of an older version that lacks a part. */
function isConfigCopy(value: unknown): value is VersionedConfig {
  if (typeof value !== 'object' || value === null) return false
  return ['whatsapp', 'gemini', 'ia', 'menu', 'atendimento', 'versao'].every((part) => part in value)
}
