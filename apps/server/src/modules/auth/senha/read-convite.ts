import * as z from 'zod/mini'
import type { Convite } from '@balcao/contract/entities/operador'
import { statusUsuarioSchema } from '@balcao/contract/entities/usuario'
import { sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { countAttempt, forgetAttempt, conviteReadLimit } from '#modules/auth/attempts.ts'
import { NO_CONTA } from '#modules/auth/login-sessions.ts'
import { hashToken } from '#security/token.ts'

const findConvite = oneRow(
  'auth: find convite',
  z.object({
    empresa: z.string(),
    email: z.string(),
    status: statusUsuarioSchema,
    expiraEm: z.date(),
    usadaEm: z.nullable(z.date()),
  }),
  sql`select c.empresa, u.email, u.status, r.expira_em, r.usada_em
      from redefinicoes_senha r join usuarios u on u.id = r.usuario_id join contas c on c.id = u.conta_id
      where r.token_hash = ${value('tokenHash', 'bytea')} and r.convite and u.excluido_em is null`,
)

/**
 * Only failed reads count against the limit per IP. Throws `conviteNaoEncontrado`, `conviteUsado`, `conviteVencido` or
 * `muitasTentativas`.
 */
export async function readConvite(
  deps: Pick<Deps, 'db' | 'clock'>,
  { token, ip }: { readonly token: string; readonly ip: string },
): Promise<Convite> {
  const attempt = await deps.db.transaction(NO_CONTA, (tx) => countAttempt(tx, deps, [conviteReadLimit(ip)]))
  return deps.db.transaction(NO_CONTA, async (tx) => {
    const parsed = await findConvite(tx, { tokenHash: hashToken(token) })
    if (parsed === null) throw new AppError('conviteNaoEncontrado')
    if (parsed.usadaEm !== null || parsed.status !== 'ativo') throw new AppError('conviteUsado')
    if (parsed.expiraEm <= deps.clock.now()) throw new AppError('conviteVencido')
    await forgetAttempt(tx, attempt)
    return { empresa: parsed.empresa, email: parsed.email, expiraEm: parsed.expiraEm.toISOString() }
  })
}
