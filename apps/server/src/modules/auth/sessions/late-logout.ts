import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { NO_CONTA, revokeLoginSessions } from '#modules/auth/login-sessions.ts'

const personSchema = z.object({ usuarioId: z.string(), contaId: z.string(), nome: z.string(), email: z.string() })

/** Ends the session with this hash of its token, in hexadecimal. Does nothing if it is unknown or ended. */
export async function logOutLate(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>,
  tokenHash: string,
  ip: string,
): Promise<void> {
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const [person] = await tx.rows(
      personSchema,
      `select u.id as "usuarioId", u.conta_id as "contaId", u.nome, u.email
         from sessoes s join usuarios u on u.id = s.usuario_id
        where s.token_hash = decode($1, 'hex') and s.revogada_em is null and s.expira_em > $2`,
      [tokenHash, deps.clock.now()],
    )
    if (person === undefined) return
    await revokeLoginSessions(tx, deps, { tokenHash })
    await recordAuditoria(tx, deps, { acao: 'sair', quem: { ...person, ip }, detalhe: 'Sem conexão ao sair' })
  })
}
