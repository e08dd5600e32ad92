import type { Readable } from 'node:stream'

/** Part of a file, both ends included, in bytes. */
export interface Faixa {
  readonly inicio: number
  readonly fim: number
}

export interface ArquivoGuardado {
  readonly contaId: string
  readonly nome: string
}

/**
 * Where the bytes of pictures, voices and documents are: a folder, or an S3 bucket with `conta/nome` as key. Names are ours
 * and never used twice, so what is written never changes. Anything else than "not there" rejects.
 */
export interface Files {
  /** Resolves once the bytes would survive a loss of power. Until then nobody sees any of them. */
  readonly write: (contaId: string, nome: string, bytes: Uint8Array) => Promise<void>
  /** The bytes as they are read; null when there is no such file. Whoever stops reading destroys the stream. */
  readonly stream: (contaId: string, nome: string, faixa?: Faixa) => Promise<Readable | null>
  readonly read: (contaId: string, nome: string) => Promise<Uint8Array | null>
  /** Removing what is not there is fine. */
  readonly remove: (contaId: string, nome: string) => Promise<void>
  /** What is stored, of one account or of all, in no order. */
  readonly list: (contaId?: string) => AsyncIterable<ArquivoGuardado>
  /** Throws away what writes that never ended left behind, when it is older than `antesDe`. */
  readonly discardUnfinished: (antesDe: Date) => Promise<void>
}
