import { mayReadSetor } from '@balcao/contract/conversa-access'
import type { Config } from '@balcao/contract/entities/config'
import { isOpenAt } from '@balcao/engine/rules/horario'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { lockContatosOf } from '#modules/conversas/index.ts'
import { markNoticed, OFFLINE_MS } from '#modules/prazos/index.ts'
import { readTeam } from './people.ts'
import { readQueue } from './queue.ts'

const NOTICES_MAX = 50

/**
 * Writes to waiting customers, once per conversa, that no person of their setor is online. Only while the shop is open. A
 * person who left less than two minutes ago counts as online, because a page that reloads closes its window.
 */
export async function noticeAbsence(
  tx: Tx,
  { clock, applyEventIn }: Pick<Deps, 'clock' | 'applyEventIn'>,
  contaId: string,
  { atendimento }: Config,
): Promise<void> {
  const now = clock.now()
  if (!isOpenAt(atendimento.horario, now.getTime())) return
  const waiting = (await readQueue(tx, contaId, null)).filter(({ noticed }) => !noticed)
  if (waiting.length === 0) return
  const team = await readTeam(tx, contaId, new Date(now.getTime() - OFFLINE_MS))
  const alone = waiting.filter(({ setor }) => !team.some((person) => mayReadSetor(person, setor))).slice(0, NOTICES_MAX)
  if (alone.length === 0) return
  const ids = alone.map(({ id }) => id)
  await lockContatosOf(tx, contaId, ids)
  const marked = await markNoticed(tx, contaId, ids)
  for (const contatoId of await listWaitingContatos(tx, contaId, marked)) {
    await applyEventIn(tx, contaId, contatoId, (base) => ({
      ...{ tipo: 'avisoAutomatico', texto: atendimento.semNinguem },
      ...base,
    }))
  }
}

/** The contatos of these conversas that still wait. */
async function listWaitingContatos(tx: Tx, contaId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ contato_id: string }>(
    `select contato_id from conversas where conta_id = $1 and id = any ($2::uuid[]) and status = 'aguardando'`,
    [contaId, plainArray(ids)],
  )
  return rows.map(({ contato_id: id }) => id)
}
