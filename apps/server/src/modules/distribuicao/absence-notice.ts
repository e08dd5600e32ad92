import type { Config } from '@balcao/contract/entities/config'
import { isOpenAt } from '@balcao/engine/rules/horario'
import { nextOpeningAt } from '@balcao/engine/rules/opening'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { lockContatosOf } from '#modules/conversas/index.ts'
import { markNoticed, OFFLINE_MS, setOpening, signalQueues } from '#modules/prazos/index.ts'
import { readTeam } from './people.ts'
import { listUnnoticed } from './queue.ts'

/** Notices of one transaction. A full batch asks for another pass. */
const NOTICES_MAX = 50

/**
 * Writes to waiting customers, once per conversa, that no person of their setor is online. While the shop is closed, it
 * asks for a pass at the opening. A person who left less than two minutes ago counts as online, because a page that
 * reloads closes its window.
 */
export async function noticeAbsence(
  tx: Tx,
  { clock, applyEventIn }: Pick<Deps, 'clock' | 'applyEventIn'>,
  contaId: string,
  { atendimento }: Config,
): Promise<void> {
  const now = clock.now()
  if (!isOpenAt(atendimento.horario, now.getTime())) {
    const opening = nextOpeningAt(atendimento.horario, now.getTime())
    return setOpening(tx, contaId, opening === null ? null : new Date(opening))
  }
  const team = await readTeam(tx, contaId, new Date(now.getTime() - OFFLINE_MS))
  const ids = await listUnnoticed(tx, contaId, team, NOTICES_MAX)
  if (ids.length === 0) return
  await lockContatosOf(tx, contaId, ids)
  const marked = await markNoticed(tx, contaId, ids)
  for (const contatoId of await listWaitingContatos(tx, contaId, marked)) {
    await applyEventIn(tx, contaId, contatoId, (base) => ({
      ...{ tipo: 'avisoAutomatico', texto: atendimento.semNinguem },
      ...base,
    }))
  }
  if (ids.length === NOTICES_MAX) await signalQueues(tx, [contaId])
}

/** The contatos of these conversas that still wait. */
async function listWaitingContatos(tx: Tx, contaId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ contato_id: string }>(
    `select contato_id from conversas where conta_id = $1 and id = any ($2::uuid[]) and status = 'aguardando'`,
    [contaId, plainArray(ids)],
  )
  return rows.map(({ contato_id: id }) => id)
}
