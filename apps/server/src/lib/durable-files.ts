import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** A rename survives a power cut only after its folder is synced. Windows has no folder sync. */
export async function syncRenames(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a file with mode 600 that appears only when complete. The caller syncs the folder afterwards. */
export async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  const unfinished = join(dirname(file), `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

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
