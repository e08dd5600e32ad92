import * as z from 'zod/mini'
import { sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { NO_CONTA, revokeLoginSessions } from '#modules/auth/login-sessions.ts'

const personSchema = z.object({ usuarioId: z.string(), contaId: z.string(), nome: z.string(), email: z.string() })

const findPerson = oneRow(
  'auth: find person of session',
  personSchema,
  sql`select u.id as usuario_id, u.conta_id, u.nome, u.email from sessoes s join usuarios u on u.id = s.usuario_id
      where s.token_hash = decode(${value('tokenHash', 'text')}, 'hex') and s.revogada_em is null
        and s.expira_em > ${value('now', 'timestamptz')}`,
)

/** Does nothing if the session is unknown or ended. */
export async function logOutLate(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>,
  tokenHash: string,
  ip: string,
): Promise<void> {
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const person = await findPerson(tx, { tokenHash, now: deps.clock.now() })
    if (person === null) return
    await revokeLoginSessions(tx, deps, { tokenHash })
    await recordAuditoria(tx, deps, { acao: 'sair', quem: { ...person, ip }, detalhe: 'Sem conexão ao sair' })
  })
}
