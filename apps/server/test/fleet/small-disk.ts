import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { DATABASE_FOLDER } from '#test/database-folder.ts'

const MEGABYTE = 1_048_576
const SMALL_WRITE = 512

/** A disk of a few megabytes that a test fills. */
export interface SmallDisk {
  readonly folder: string
  /** False where mounting is not permitted. Then a full disk is a limit for the size of files of the processes. */
  readonly mounted: boolean
  /** No write to the disk succeeds any more. `pids`: the processes that write to it. */
  readonly fill: (pids: readonly number[]) => void
  readonly free: (pids: readonly number[]) => void
  readonly remove: () => void
}

export async function createSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(DATABASE_FOLDER, 'balcao-disco-'))
  const mounted = mount(folder, megabytes)
  // The system user of the database passes through.
  chmodSync(folder, 0o755)
  const filler = join(folder, 'enchimento')
  return {
    ...{ folder, mounted },
    fill: (pids) => (mounted ? fillWith(filler) : limitFiles(pids, '0')),
    free: (pids) => (mounted ? rmSync(filler) : limitFiles(pids, 'unlimited')),
    remove: () => {
      if (mounted) execFileSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function mount(folder: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function fillWith(path: string): void {
  const file = openSync(path, 'w')
  for (const size of [MEGABYTE, SMALL_WRITE]) {
    const bytes = Buffer.alloc(size, 'x')
    try {
      for (;;) writeSync(file, bytes)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
  closeSync(file)
}

function limitFiles(pids: readonly number[], size: string): void {
  for (const pid of pids) execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`])
}
