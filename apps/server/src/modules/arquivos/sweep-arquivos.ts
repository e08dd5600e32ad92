import { isContaImporting } from '#db/backup/conta/import-conta.ts'
import type { Deps } from '#deps.ts'
import type { StoredFile } from '#ports/files.ts'
import { deleteOrphanRows, listNamesWithRow, listContasWithArquivos } from './repository.ts'
import { rowName } from './urls.ts'

const HOUR_MS = 3_600_000
/** A mensagem is stored moments after its file. A file without one after 24 hours belongs to a failed send. */
const WITHOUT_MENSAGEM_MS = 24 * HOUR_MS
const BATCH_SIZE = 500

/** Without `contaId` all contas. Returns the number of deleted files. */
export async function sweepArquivos(deps: Pick<Deps, 'db' | 'files' | 'clock'>, contaId?: string): Promise<number> {
  await deleteUnusedRows(deps, contaId)
  return sweepBytes(deps, contaId)
}

export async function deleteUnusedRows({ db, clock }: Pick<Deps, 'db' | 'clock'>, contaId?: string): Promise<void> {
  const now = clock.now().getTime()
  const before = { pendente: new Date(now - HOUR_MS), pronto: new Date(now - WITHOUT_MENSAGEM_MS) }
  const contas = contaId === undefined ? await db.read('*', (tx) => listContasWithArquivos(tx, {})) : [{ contaId }]
  for (const { contaId: conta } of contas) await db.transaction(conta, (tx) => deleteOrphanRows(tx, conta, before))
}

/** A row is inserted before its bytes, so bytes without a row are garbage, except during the import of a conta. */
export async function sweepBytes(deps: Pick<Deps, 'db' | 'files' | 'clock'>, contaId?: string): Promise<number> {
  const { files, clock } = deps
  if (contaId === undefined) await files.discardUnfinished(new Date(clock.now().getTime() - HOUR_MS))
  let count = 0
  let batch: StoredFile[] = []
  for await (const arquivo of files.list(contaId)) {
    if (batch.length === BATCH_SIZE || (batch[0] !== undefined && batch[0].contaId !== arquivo.contaId)) {
      count += await removeWithoutRow(deps, batch)
      batch = []
    }
    batch.push(arquivo)
  }
  return count + (await removeWithoutRow(deps, batch))
}

async function removeWithoutRow(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  batch: readonly StoredFile[],
): Promise<number> {
  const [first] = batch
  if (first === undefined) return 0
  const { contaId } = first
  // Before the snapshot of the rows: an import commits its rows first and ends after that.
  if (await db.read('*', (tx) => isContaImporting(tx, {}))) return 0
  const names = batch.map(({ nome }) => nome)
  const known = await db.read(contaId, (tx) => listNamesWithRow(tx, contaId, names.map(rowName)))
  const leftovers = names.filter((name) => !known.has(rowName(name)))
  for (const name of leftovers) await files.remove(contaId, name)
  return leftovers.length
}
