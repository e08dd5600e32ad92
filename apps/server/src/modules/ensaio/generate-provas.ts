import { isDeepStrictEqual } from 'node:util'
import { PROVAS_MAX } from '@balcao/contract/entities/prova'
import { generateProvas } from '@balcao/engine/rehearsal/generate'
import type { Deps } from '#deps.ts'
import { type AccountContextDeps, loadAccountContext, toBotContext } from '#modules/ia/index.ts'
import { correctGenerated, countProvas, insertGenerated, listGenerated, lockProvas } from '#modules/provas/index.ts'

/** Adds the questions that the account lacks, and corrects generated ones that no person edited. Returns how many are new. */
export function generateMissing(
  deps: AccountContextDeps & Pick<Deps, 'db' | 'ids'>,
  contaId: string,
): Promise<{ criadas: number }> {
  return deps.db.transaction(contaId, async (tx) => {
    await lockProvas(tx, { contaId })
    const context = toBotContext(await loadAccountContext(tx, deps, contaId))
    const stored = new Map((await listGenerated(tx, { contaId })).map(({ chave, ...row }) => [chave, row]))
    const wanted = generateProvas(context).map(({ transfere = null, ...prova }) => ({ ...prova, transfere }))
    const places = PROVAS_MAX - (await countProvas(tx, { contaId }))
    const fresh = wanted
      .filter(({ chave }) => !stored.has(chave))
      .slice(0, Math.max(0, places))
      .map((prova) => ({ contaId, id: deps.ids.uuid(), ...prova }))
    const corrected = wanted.flatMap((prova) => {
      const row = stored.get(prova.chave)
      if (row === undefined || row.editada) return []
      const { id, editada: _, ...before } = row
      const { chave: __, ...after } = prova
      return isDeepStrictEqual(before, after) ? [] : [{ contaId, id, ...prova }]
    })
    if (corrected.length > 0) await correctGenerated(tx, { i: corrected })
    const criadas = fresh.length === 0 ? 0 : await insertGenerated(tx, { i: fresh })
    return { criadas }
  })
}
