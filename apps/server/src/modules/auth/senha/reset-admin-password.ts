import { emailSchema } from '@balcao/contract/entities/common'
import type { Deps } from '#deps.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { clearSecondFactors } from '#modules/auth/second-factor/clear.ts'
import { endLoginSessions, NO_CONTA } from '#modules/auth/login-sessions.ts'
import { findUsuario } from '#modules/auth/usuario.ts'
import { generatePassword } from '#security/password.ts'
import { changePassword } from './reset-password.ts'

/**
 * For the command line while no server runs. `removeFactor`: for the only administrator with a lost phone. Throws an
 * `Error` with a Portuguese text.
 */
export async function resetAdminPassword(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'passwords'>,
  email: string,
  { removeFactor = false }: { readonly removeFactor?: boolean } = {},
): Promise<{ readonly email: string; readonly senha: string }> {
  const parsed = emailSchema.safeParse(email)
  if (!parsed.success) throw new Error(`${email} não é um e-mail válido.`)
  const senha = generatePassword()
  const senhaHash = await deps.passwords.hash(senha)
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const admin = await findUsuario(tx, { email: parsed.data }, { lock: true })
    if (admin === null) throw new Error(`Nenhum usuário tem o e-mail ${parsed.data}.`)
    if (admin.tipo !== 'admin') throw new Error(`${parsed.data} não é administrador. Nada mudou.`)
    const { id, contaId, nome } = admin
    await changePassword(tx, deps, id, senhaHash)
    if (removeFactor) await clearSecondFactors(tx, id)
    await endLoginSessions(tx, deps.clock.now(), { usuarioId: id })
    await recordAuditoria(tx, deps, {
      acao: 'senhaRedefinida',
      quem: null,
      alvo: { id, nome, email: parsed.data },
      contaId,
      detalhe: `Senha nova gerada no servidor pelo comando admin:senha.${removeFactor ? ' Segundo fator removido.' : ''}`,
    })
  })
  return { email: parsed.data, senha }
}
