import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MIN_LENGTH = 16
const WEAK_SECRETS = new Set(['changeme', 'secret', 'segredo', 'app_secret', 'mude-me', 'trocar'])

/**
 * Loads APP_SECRET from the environment or generates it in the data folder (mode 0600). Throws a Portuguese
 * sentence when the given secret is too weak.
 */
export function loadAppSecret(dataDir: string, fromEnv: string | undefined): string {
  if (fromEnv !== undefined) {
    if (fromEnv.length < MIN_LENGTH || WEAK_SECRETS.has(fromEnv.toLowerCase())) {
      throw new Error(`APP_SECRET precisa de pelo menos ${MIN_LENGTH} caracteres que ninguém adivinhe.`)
    }
    return fromEnv
  }
  const file = join(dataDir, 'app-secret')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}
