import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { DATABASE_FOLDER } from '#test/database-folder.ts'
import { requirePackages } from './debian.ts'

const PACKAGES = { xfsprogs: '/usr/sbin/mkfs.xfs', e2fsprogs: '/usr/sbin/mke2fs', mount: '/usr/bin/mount' }
const MEGABYTES = 1_500

/**
 * A disk whose power can be cut. The folder is an ext4 file system on a loop device, whose blocks are a file on XFS. XFS
 * clones that file in a moment: the clone has all that ext4 wrote to the device, so everything that was synced, and
 * nothing that was only in the memory of the system.
 */
export interface CutDisk {
  readonly folder: string
  /** The disk as it is after a power cut now, mounted after the repair by its journal. */
  readonly cut: () => { readonly mount: () => { readonly folder: string; readonly remove: () => void } }
  readonly remove: () => void
}

const run = (program: string, ...args: readonly string[]): void => {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Needs root, loop devices and permission to mount. */
export async function createCutDisk(): Promise<CutDisk> {
  requirePackages(PACKAGES, 'para montar discos')
  const base = await mkdtemp(join(DATABASE_FOLDER, 'balcao-corte-'))
  chmodSync(base, 0o755)
  const [cloning, blocks] = [join(base, 'xfs'), join(base, 'xfs', 'disco')]
  allocate(join(base, 'blocos'), MEGABYTES * 4)
  run('mkfs.xfs', '-q', '-m', 'reflink=1', join(base, 'blocos'))
  mountAt(join(base, 'blocos'), cloning)
  allocate(blocks, MEGABYTES)
  run('mke2fs', '-q', '-t', 'ext4', '-E', 'lazy_itable_init=0,lazy_journal_init=0', blocks)
  const folder = mountAt(blocks, join(base, 'disco'))
  let cuts = 0
  return {
    folder,
    cut: () => {
      cuts += 1
      const [image, place] = [join(cloning, `corte${cuts}`), join(base, `corte${cuts}`)]
      run('cp', '--reflink=always', blocks, image)
      return { mount: () => ({ folder: mountAt(image, place), remove: () => run('umount', place) }) }
    },
    remove: () => {
      for (const mounted of [folder, cloning]) run('umount', mounted)
      rmSync(base, { recursive: true, force: true })
    },
  }
}

function allocate(path: string, megabytes: number): void {
  writeFileSync(path, '')
  truncateSync(path, megabytes * 2 ** 20)
}

function mountAt(blocks: string, folder: string): string {
  mkdirSync(folder)
  run('mount', '-o', 'loop', blocks, folder)
  return folder
}
