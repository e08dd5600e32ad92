import type { Deps } from '#deps.ts'
import type { StoredFile } from '#ports/files.ts'
import { deleteOrphanRows, listNamesWithRow, listContasWithArquivos } from './repository.ts'
import { rowName } from './urls.ts'

const HOUR_MS = 3_600_000
/** A mensagem is stored moments after its file. A file without one after 24 hours belongs to a failed send. */
const WITHOUT_MENSAGEM_MS = 24 * HOUR_MS
const BATCH_SIZE = 500

/**
 * Removes rows of interrupted uploads, rows that neither a mensagem nor a produto uses, and bytes without a row. A
 * row is inserted before its bytes, so bytes without a row are always garbage. Without `contaId` it sweeps all
 * contas. Returns the number of deleted files.
 */
export async function sweepArquivos(deps: Pick<Deps, 'db' | 'files' | 'clock'>, contaId?: string): Promise<number> {
  const { db, files, clock } = deps
  const agora = clock.now().getTime()
  const before = { pendente: new Date(agora - HOUR_MS), pronto: new Date(agora - WITHOUT_MENSAGEM_MS) }
  const contas = contaId === undefined ? await db.read('*', listContasWithArquivos) : [contaId]
  for (const conta of contas) await db.transaction(conta, (tx) => deleteOrphanRows(tx, conta, before))
  if (contaId === undefined) await files.discardUnfinished(before.pendente)
  let foram = 0
  let lote: StoredFile[] = []
  for await (const arquivo of files.list(contaId)) {
    if (lote.length === BATCH_SIZE || (lote[0] !== undefined && lote[0].contaId !== arquivo.contaId)) {
      foram += await removeWithoutRow(deps, lote)
      lote = []
    }
    lote.push(arquivo)
  }
  return foram + (await removeWithoutRow(deps, lote))
}

/** All files of the batch belong to one conta. */
async function removeWithoutRow(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  batch: readonly StoredFile[],
): Promise<number> {
  const [first] = batch
  if (first === undefined) return 0
  const { contaId } = first
  const names = batch.map(({ nome }) => nome)
  const known = await db.read(contaId, (tx) => listNamesWithRow(tx, contaId, names.map(rowName)))
  const sobras = names.filter((name) => !known.has(rowName(name)))
  for (const name of sobras) await files.remove(contaId, name)
  return sobras.length
}
