import type { Readable } from 'node:stream'

/** Byte range of a file, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface StoredFile {
  readonly contaId: string
  readonly nome: string
}

/** Small texts beside the media files. A path is `folder/name`. */
export interface Notes {
  /** Resolves when the text is durable. Replaces an earlier one. */
  readonly write: (path: string, text: string) => Promise<void>
  readonly read: (path: string) => Promise<string | null>
  readonly list: (folder: string) => AsyncIterable<string>
  /** A missing note is no error. */
  readonly remove: (path: string) => Promise<void>
}

/**
 * Storage of media files: a folder, or an S3 bucket with the key `conta/nome`. Names are never reused, so a file
 * never changes. All errors except "not found" reject.
 */
export interface Files {
  /** The configuration names this storage, so all nodes use it. False: the data folder of this node. */
  readonly shared: boolean
  readonly notes: Notes
  /** Resolves when the bytes are durable. Readers never see a partial file. */
  readonly write: (contaId: string, name: string, bytes: Uint8Array) => Promise<void>
  /**
   * Returns the bytes as a stream, or null when the file does not exist. The caller must destroy a stream that it
   * does not read to the end.
   */
  readonly stream: (contaId: string, name: string, range?: ByteRange) => Promise<Readable | null>
  readonly read: (contaId: string, name: string) => Promise<Uint8Array | null>
  /** A missing file is no error. */
  readonly remove: (contaId: string, name: string) => Promise<void>
  /** Lists the files of one conta or of all, unsorted. */
  readonly list: (contaId?: string) => AsyncIterable<StoredFile>
  /** Deletes unfinished writes older than `antesDe`. */
  readonly discardUnfinished: (antesDe: Date) => Promise<void>
}
