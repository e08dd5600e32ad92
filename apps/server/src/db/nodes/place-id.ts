import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

const BOOT_ID = '/proc/sys/kernel/random/boot_id'
const FOLDER_FILE = 'pasta.id'

/** Id of the running system. On Linux it is new after each boot. */
export function machineId(): string {
  return existsSync(BOOT_ID) ? readFileSync(BOOT_ID, 'utf8').trim() : hostname()
}

export function folderId(dataDir: string): string {
  const file = join(dataDir, FOLDER_FILE)
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  // Empty after a crash during the write.
  if (stored !== '') return stored
  const fresh = randomUUID()
  writeFileSync(file, fresh)
  return fresh
}
