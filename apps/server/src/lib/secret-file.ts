import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const MIN_LENGTH = 32

/**
 * Returns the secret of a file with mode 0600. The first call creates 43 random characters; the caller locks the
 * folder. Throws a Portuguese sentence for a file that is empty or cut off.
 */
export function loadSecretFile(path: string): string {
  if (!existsSync(path)) createSecretFile(path)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length >= MIN_LENGTH) return secret
  throw new Error(
    `O arquivo ${path} está incompleto: tem menos de ${MIN_LENGTH} caracteres. Recupere-o de uma cópia. Sem ele, o que foi guardado não se abre.`,
  )
}

/** A power cut leaves the whole file or none. */
function createSecretFile(path: string): void {
  const partial = `${path}.novo`
  writeFileSync(partial, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  renameSync(partial, path)
  syncFolder(dirname(path))
}

/** Syncs the folder so that a rename in it survives a power cut. Windows neither needs nor allows it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
