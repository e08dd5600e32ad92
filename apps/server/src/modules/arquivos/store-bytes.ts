import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { StoredFile } from '#ports/files.ts'
import { deleteArquivo, insertArquivo, lockStorageUse, markArquivoReady, type StorageUse } from './repository.ts'
import { miniName } from './urls.ts'

export type ArquivosDeps = Pick<Deps, 'db' | 'files' | 'ids' | 'clock'>

interface NewBytes {
  readonly uso: 'midia' | 'produto'
  readonly tipo: string
  readonly extension: string
  readonly nomeOriginal: string
  readonly bytes: Uint8Array
  readonly mini?: Uint8Array
}

const MIB = 1_048_576
const STORAGE_LIMITS: Readonly<Record<StorageUse, { readonly arquivos: number; readonly bytes: number }>> = {
  midia: { arquivos: 2_000, bytes: 1_024 * MIB },
  produto: { arquivos: 200, bytes: 200 * MIB },
  historico: { arquivos: 20_000, bytes: 1_024 * MIB },
}

/**
 * The row is pending until the bytes are written, so that the sweep finds an interrupted upload. Throws
 * `armazenamentoCheio`.
 */
export async function storeBytes(deps: ArquivosDeps, contaId: string, input: NewBytes): Promise<string> {
  const { db, files, ids, clock } = deps
  const { uso, tipo, nomeOriginal, bytes, mini } = input
  const nome = `${Buffer.from(ids.token(), 'base64url').toString('hex', 0, 16)}.${input.extension}`
  const measures = { tamanho: bytes.length, tamanhoMini: mini?.length ?? null }
  await db.transaction(contaId, async (tx) => {
    await requireSpace(tx, contaId, { uso, size: bytes.length + (mini?.length ?? 0) })
    await insertArquivo(tx, { contaId, nome, uso, tipo, ...measures, nomeOriginal, criadoEm: clock.now() })
  })
  try {
    if (mini !== undefined) await files.write(contaId, miniName(nome), mini)
    await files.write(contaId, nome, bytes)
  } catch (error) {
    await db.transaction(contaId, (tx) => deleteArquivo(tx, { contaId, nome }))
    throw error
  }
  await db.transaction(contaId, (tx) => markArquivoReady(tx, { contaId, nome }))
  return nome
}

/** Throws `armazenamentoCheio`, before any work on the bytes. */
export async function checkSpace({ db }: Pick<Deps, 'db'>, contaId: string, uso: NewBytes['uso']): Promise<void> {
  await db.transaction(contaId, (tx) => requireSpace(tx, contaId, { uso, size: 1 }))
}

async function requireSpace(
  tx: Tx,
  contaId: string,
  { uso, size }: Pick<NewBytes, 'uso'> & { readonly size: number },
): Promise<void> {
  // Each replaced picture that a chat shows becomes historic, so these have a limit too.
  const uses: StorageUse[] = uso === 'produto' ? ['produto', 'historico'] : [uso]
  for (const use of uses) {
    const used = await lockStorageUse(tx, contaId, use)
    const limits = STORAGE_LIMITS[use]
    if (used.arquivos >= limits.arquivos || used.bytes + size > limits.bytes) throw new AppError('armazenamentoCheio')
  }
}

export async function deleteBytes({ files }: Pick<Deps, 'files'>, contaId: string, name: string): Promise<void> {
  await files.remove(contaId, name)
  if (name.endsWith('.webp')) await files.remove(contaId, miniName(name))
}

/** Without shared storage another node may have the bytes. */
export function missingBytes({ files, fleet, log }: Pick<Deps, 'files' | 'fleet' | 'log'>, file: StoredFile): AppError {
  if (!files.shared && fleet.others().length > 0) return new AppError('arquivoEmOutroNo')
  log.error({ ...file }, 'file row without bytes')
  return new AppError('naoEncontrado')
}
