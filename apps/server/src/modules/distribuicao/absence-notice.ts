import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import { isOpenAt } from '@balcao/engine/rules/horario'
import { nextOpeningAt } from '@balcao/engine/rules/opening'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
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
    await setOpening(tx, { contaId, at: opening === null ? null : new Date(opening) })
    return
  }
  const team = await readTeam(tx, contaId, new Date(now.getTime() - OFFLINE_MS))
  const ids = (await listUnnoticed(tx, { contaId, p: team, max: NOTICES_MAX })).map(({ id }) => id)
  if (ids.length === 0) return
  await lockContatosOf(tx, { contaId, ids })
  const marked = await markNoticed(tx, contaId, ids)
  for (const { contatoId } of await listWaitingContatos(tx, { contaId, ids: marked })) {
    await applyEventIn(tx, contaId, contatoId, (base) => ({
      ...{ tipo: 'avisoAutomatico', texto: atendimento.semNinguem },
      ...base,
    }))
  }
  if (ids.length === NOTICES_MAX) await signalQueues(tx, { contas: [contaId] })
}

/** The contatos of these conversas that still wait. */
const listWaitingContatos = manyRows(
  'distribuicao: list waiting contatos',
  z.object({ contatoId: z.string() }),
  sql`select contato_id from conversas
      where conta_id = ${contaId} and id = any (${value('ids', 'uuid[]')}) and status = 'aguardando'`,
  { planner: 'indexes' },
)
