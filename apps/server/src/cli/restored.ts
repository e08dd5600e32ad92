import type { RestoreDecision } from '@balcao/contract/entities/sistema-admin'
import type { Env } from '../env.ts'
import { createPool } from '#db/connection.ts'
import { APP_ROLE } from '#db/migrate.ts'
import { createDatabase } from '#db/transaction.ts'
import { releaseRestored } from '#modules/sistema/index.ts'
import { NO_REALTIME } from '#realtime/no-realtime.ts'
import { createIds } from '../ids.ts'
import { besideServer, say } from './database.ts'

/** A running server finds the released bots and mails in its next rounds. It publishes nothing to open panels. */
export async function release(env: Env, decision: RestoreDecision): Promise<void> {
  const clock = { now: () => new Date() }
  const { mensagens, emails } = await besideServer(env, async (target) => {
    const log = { error: (_: object, message: string) => say(message) }
    const db = createDatabase({ pool: createPool(target, { role: APP_ROLE, max: 1 }), log })
    try {
      const deps = { db, clock, ids: createIds(clock), realtime: NO_REALTIME, mailQueued: () => {} }
      return await releaseRestored(deps, decision, null)
    } finally {
      await db.end()
    }
  })
  say(`${decision === 'descartar' ? 'Descartado' : 'Liberado'}. Mensagens: ${mensagens}. E-mails: ${emails}.`)
  say('Os bots que estavam ligados voltam em segundos, ou quando o servidor iniciar.')
}
