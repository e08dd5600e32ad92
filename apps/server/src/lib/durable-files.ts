import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
