import type { Lote } from '@balcao/contract/entities/lote'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { announceContatos } from '#modules/contatos/repository.ts'
import { addEtiquetas, holdEtiquetas, lockTaggedContatos, removeSomeEtiquetas } from './repository.ts'

export interface TagChange {
  readonly adicionar?: readonly string[] | undefined
  readonly remover?: readonly string[] | undefined
}

/**
 * Adds and removes etiquetas of many contatos, one statement for each kind. Locks the contatos first. Throws
 * `dadosInvalidos` for an unknown etiqueta to add. An unknown contato is refused with `naoEncontrado`.
 */
export async function tagContatos(
  tx: Tx,
  deps: Pick<Deps, 'realtime'>,
  contaId: string,
  ids: readonly string[],
  { adicionar = [], remover = [] }: TagChange,
): Promise<Lote> {
  const contatos = await lockTaggedContatos(tx, { contaId, ids: ids.filter(isUuid) })
  const held = await holdEtiquetas(tx, { contaId, ids: adicionar })
  if (held.length < new Set(adicionar).size) throw new AppError('dadosInvalidos', { erro: 'Esta etiqueta não existe.' })
  const removed = remover.filter(isUuid)
  const known = contatos.map(({ id }) => id)
  if (removed.length > 0) await removeSomeEtiquetas(tx, { contaId, contatoIds: known, etiquetaIds: removed })
  const i = known.flatMap((contatoId) => held.map(({ id: etiquetaId }) => ({ contatoId, etiquetaId })))
  if (i.length > 0) await addEtiquetas(tx, { contaId, i })
  await announceContatos(tx, deps, contaId, contatos)
  const found = new Set(known)
  return {
    feitas: ids.filter((id) => found.has(id)),
    recusadas: ids.filter((id) => !found.has(id)).map((id) => ({ id, codigo: 'naoEncontrado' })),
  }
}
