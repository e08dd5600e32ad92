import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { hashSenha } from '#security/senha.ts'
import { checkSenha } from './conferir-senha.ts'
import { changeSenha } from './redefinir-senha.ts'
import { SEM_CONTA } from './sem-conta.ts'
import { revokeSessoes } from './sessoes.ts'
import { findUsuario } from './usuario.ts'

type TrocarDeps = Pick<Deps, 'db' | 'clock' | 'realtime' | 'forgetSessions'>

/** A new password for whoever knows the current one; every other session of the user ends. Throws `senhaAtualIncorreta`. */
export async function trocarSenha(
  deps: TrocarDeps,
  sessao: Sessao,
  pedido: { readonly senhaAtual: string; readonly novaSenha: string; readonly ip: string },
): Promise<void> {
  const { usuarioId, tokenHash, email } = sessao
  const lido = await deps.db.transaction(SEM_CONTA, (tx) => findUsuario(tx, { id: usuarioId }))
  const confere = await checkSenha(deps, lido?.senhaHash ?? null, { email, senha: pedido.senhaAtual, ip: pedido.ip })
  if (!confere || lido === null) throw new AppError('senhaAtualIncorreta')
  const senhaHash = await hashSenha(pedido.novaSenha)

  await deps.db.transaction(SEM_CONTA, async (tx) => {
    const atual = await findUsuario(tx, { id: usuarioId }, { lock: true })
    if (atual?.senhaHash !== lido.senhaHash) throw new AppError('senhaAtualIncorreta')
    await changeSenha(tx, deps, usuarioId, senhaHash)
    await revokeSessoes(tx, deps, { usuarioId, exceto: tokenHash })
  })
}
