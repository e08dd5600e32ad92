import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { hashSenha } from '#security/senha.ts'
import { hashToken } from '#security/token.ts'
import { SEM_CONTA } from './sem-conta.ts'
import { revokeSessoes } from './sessoes.ts'
import { updateSenha } from './usuario.ts'

type RedefinirDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>

/**
 * Sets the new password with a reset link, valid once, and ends all sessions of the usuario. Throws
 * `tokenInvalido`.
 */
export async function redefinirSenha(
  deps: RedefinirDeps,
  { token, senha, ip }: { readonly token: string; readonly senha: string; readonly ip: string },
): Promise<void> {
  const tokenHash = hashToken(token)
  // Checked before hashing, so an invalid link costs no Argon2 hash.
  const vale = await deps.db.transaction(SEM_CONTA, (tx) => findValid(tx, deps, tokenHash))
  if (vale === null) throw new AppError('tokenInvalido')
  const senhaHash = await hashSenha(senha)

  await deps.db.transaction(SEM_CONTA, async (tx) => {
    const pessoa = await tx.kysely
      .selectFrom('usuarios')
      .select(['contaId', 'nome', 'email'])
      .where('id', '=', vale)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const usuarioId = await findValid(tx, deps, tokenHash)
    if (usuarioId === null) throw new AppError('tokenInvalido')
    await changeSenha(tx, deps, usuarioId, senhaHash)
    await revokeSessoes(tx, deps, { usuarioId })
    await registrarAuditoria(tx, deps, { acao: 'senhaRedefinida', quem: { ...pessoa, usuarioId, ip } })
  })
}

export async function changeSenha(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  usuarioId: string,
  senhaHash: string,
): Promise<void> {
  await updateSenha(tx, usuarioId, senhaHash)
  await tx.kysely
    .updateTable('redefinicoesSenha')
    .set({ usadaEm: clock.now() })
    .where('usuarioId', '=', usuarioId)
    .where('usadaEm', 'is', null)
    .execute()
}

async function findValid(tx: Tx, { clock }: Pick<Deps, 'clock'>, tokenHash: Buffer): Promise<string | null> {
  const linha = await tx.kysely
    .selectFrom('redefinicoesSenha')
    .innerJoin('usuarios', 'usuarios.id', 'redefinicoesSenha.usuarioId')
    .select('usuarios.id')
    .where('redefinicoesSenha.tokenHash', '=', tokenHash)
    .where('redefinicoesSenha.usadaEm', 'is', null)
    .where('redefinicoesSenha.expiraEm', '>', clock.now())
    .where('usuarios.excluidoEm', 'is', null)
    .executeTakeFirst()
  return linha?.id ?? null
}
