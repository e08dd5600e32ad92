import type { Lote } from '@balcao/contract/entities/lote'
import { AppError } from '#errors.ts'

/** Starts all acts in one tick, so that they join one batch. Rejects with the first error that is no refusal. */
export async function settleEach(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<Lote> {
  const settled = await Promise.allSettled(ids.map((id) => act(id)))
  const feitas: string[] = []
  const recusadas: { id: string; codigo: string }[] = []
  for (const [index, result] of settled.entries()) {
    const id = ids[index] ?? ''
    if (result.status === 'fulfilled') feitas.push(id)
    else if (result.reason instanceof AppError) recusadas.push({ id, codigo: result.reason.codigo })
    else throw result.reason
  }
  return { feitas, recusadas }
}
