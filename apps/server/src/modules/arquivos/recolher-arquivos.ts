import type { Deps } from '#deps.ts'
import type { ArquivoGuardado } from '#ports/files.ts'
import { nomeComLinha } from './enderecos.ts'
import { deletePerdidos, listConhecidos, listContasComArquivos } from './repository.ts'

const HORA_MS = 3_600_000
/** A mensagem is stored moments after its file. A file without one after 24 hours belongs to a failed send. */
const SEM_MENSAGEM_MS = 24 * HORA_MS
const POR_VEZ = 500

/**
 * Removes rows of interrupted uploads, rows that neither a mensagem nor a produto uses, and bytes without a row. A
 * row is inserted before its bytes, so bytes without a row are always garbage. Without `contaId` it sweeps all
 * contas. Returns the number of deleted files.
 */
export async function recolherArquivos(deps: Pick<Deps, 'db' | 'files' | 'clock'>, contaId?: string): Promise<number> {
  const { db, files, clock } = deps
  const agora = clock.now().getTime()
  const antes = { pendente: new Date(agora - HORA_MS), pronto: new Date(agora - SEM_MENSAGEM_MS) }
  const contas = contaId === undefined ? await db.read('*', listContasComArquivos) : [contaId]
  for (const conta of contas) await db.transaction(conta, (tx) => deletePerdidos(tx, conta, antes))
  if (contaId === undefined) await files.discardUnfinished(antes.pendente)
  let foram = 0
  let lote: ArquivoGuardado[] = []
  for await (const arquivo of files.list(contaId)) {
    if (lote.length === POR_VEZ || (lote[0] !== undefined && lote[0].contaId !== arquivo.contaId)) {
      foram += await removerSemLinha(deps, lote)
      lote = []
    }
    lote.push(arquivo)
  }
  return foram + (await removerSemLinha(deps, lote))
}

/** All files of the batch belong to one conta. */
async function removerSemLinha(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  lote: readonly ArquivoGuardado[],
): Promise<number> {
  const [primeiro] = lote
  if (primeiro === undefined) return 0
  const { contaId } = primeiro
  const nomes = lote.map(({ nome }) => nome)
  const conhecidos = await db.read(contaId, (tx) => listConhecidos(tx, contaId, nomes.map(nomeComLinha)))
  const sobras = nomes.filter((nome) => !conhecidos.has(nomeComLinha(nome)))
  for (const nome of sobras) await files.remove(contaId, nome)
  return sobras.length
}
