import type { RestoreDecision } from '@balcao/contract/entities/sistema-admin'
import type { Env } from '../env.ts'
import { markRestored } from '#db/backup/restore-hold.ts'
import { createPool } from '#db/connection.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { createDatabase } from '#db/transaction.ts'
import { releaseRestored } from '#modules/sistema/index.ts'
import { NO_REALTIME } from '#realtime/no-realtime.ts'
import { createIds } from '../ids.ts'
import { sayHeld, sayWaiting } from './backup.ts'
import { besideServer, requireDataFolder, say, withOwner } from './database.ts'

/** A running server finds the released bots and mails in its next rounds. It publishes nothing to open panels. */
export async function release(env: Env, decision: RestoreDecision): Promise<void> {
  const clock = { now: () => new Date() }
  const { mensagens, emails, agendadas } = await besideServer(env, async (target) => {
    const log = { error: (_: object, message: string) => say(message) }
    const db = createDatabase({ pool: createPool(target, { role: APP_ROLE, max: 1 }), log })
    try {
      const deps = { db, clock, ids: createIds(clock), realtime: NO_REALTIME, mailQueued: () => {} }
      return await releaseRestored(deps, decision, null)
    } finally {
      await db.end()
    }
  })
  say(
    `${decision === 'descartar' ? 'Descartado' : 'Liberado'}. Mensagens: ${mensagens}. E-mails: ${emails}. Agendadas: ${agendadas}.`,
  )
  say('Os bots que estavam ligados voltam em segundos, ou quando o servidor iniciar.')
}

/**
 * Marks a database that was restored without `db:import`, such as to a point in time. `moment` is that of its data,
 * by default now. Throws a Portuguese sentence if a server uses the database.
 */
export async function hold(env: Env, moment: string | undefined): Promise<void> {
  const madeAt = moment === undefined ? new Date() : new Date(moment)
  if (Number.isNaN(madeAt.getTime())) throw new Error(`O instante ${moment ?? ''} não é válido.`)
  requireDataFolder(env)
  const waiting = await withOwner(env, (owner) => markRestored(owner, madeAt.toISOString()))
  sayWaiting(madeAt.toISOString(), waiting)
  sayHeld()
}
