import type { Deps } from '#deps.ts'
import type { ArquivoGuardado } from '#ports/files.ts'
import { nomeComLinha } from './enderecos.ts'
import { deletePerdidos, listConhecidos, listContasComArquivos } from './repository.ts'

const HORA_MS = 3_600_000
/** A message is written moments after its file; whatever has none by then never will. */
const SEM_MENSAGEM_MS = 24 * HORA_MS
const POR_VEZ = 500

/**
 * Removes what nobody can reach: rows of uploads that ended halfway or whose message was never written, and bytes without a
 * row, because its message was erased. A row always comes before its bytes, so bytes without one are never still to get it.
 * Gives how many files went.
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

/** All of one account. */
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
