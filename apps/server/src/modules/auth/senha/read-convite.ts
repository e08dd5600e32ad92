import type { Convite } from '@balcao/contract/entities/operador'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { countAttempt, forgetAttempt, conviteReadLimit } from '#modules/auth/attempts.ts'
import { NO_CONTA } from '#modules/auth/login-sessions.ts'
import { hashToken } from '#security/token.ts'

/**
 * Returns an invitation by its link. Only failed reads count against the limit per IP, which stops guessing. Throws
 * `conviteNaoEncontrado`, `conviteUsado`, `conviteVencido` or `muitasTentativas`.
 */
export async function readConvite(
  deps: Pick<Deps, 'db' | 'clock'>,
  { token, ip }: { readonly token: string; readonly ip: string },
): Promise<Convite> {
  const attempt = await deps.db.transaction(NO_CONTA, (tx) => countAttempt(tx, deps, [conviteReadLimit(ip)]))
  return deps.db.transaction(NO_CONTA, async (tx) => {
    const parsed = await tx.kysely
      .selectFrom('redefinicoesSenha')
      .innerJoin('usuarios', 'usuarios.id', 'redefinicoesSenha.usuarioId')
      .innerJoin('contas', 'contas.id', 'usuarios.contaId')
      .select(['contas.empresa', 'usuarios.email', 'usuarios.status'])
      .select(['redefinicoesSenha.expiraEm', 'redefinicoesSenha.usadaEm'])
      .where('redefinicoesSenha.tokenHash', '=', hashToken(token))
      .where('redefinicoesSenha.convite', '=', true)
      .where('usuarios.excluidoEm', 'is', null)
      .executeTakeFirst()
    if (parsed === undefined) throw new AppError('conviteNaoEncontrado')
    if (parsed.usadaEm !== null || parsed.status !== 'ativo') throw new AppError('conviteUsado')
    if (parsed.expiraEm <= deps.clock.now()) throw new AppError('conviteVencido')
    await forgetAttempt(tx, attempt)
    return { empresa: parsed.empresa, email: parsed.email, expiraEm: parsed.expiraEm.toISOString() }
  })
}
