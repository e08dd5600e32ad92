import { createDiskFiles } from './disk/files.ts'
import { createS3Files, type S3Options } from './s3/files.ts'
import type { Files } from '#ports/files.ts'

export interface StorageOptions {
  readonly arquivosDir: string
  /** The configuration names the folder, so all nodes use it. Default: false. */
  readonly sharedFiles?: boolean
  /** S3 bucket instead of that folder, needed when several nodes share the files. */
  readonly s3?: S3Options | undefined
  /** Crash-test hook, called before the first byte and after the file is in place. */
  readonly onWrite?: (instant: 'antes' | 'depois') => void
}

export function createStorage({ s3, arquivosDir, sharedFiles = false, onWrite }: StorageOptions): Files {
  const hook = onWrite === undefined ? {} : { onWrite }
  if (s3 !== undefined) return createS3Files({ ...s3, ...hook })
  return createDiskFiles({ dir: arquivosDir, shared: sharedFiles, ...hook })
}
