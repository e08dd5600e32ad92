import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { hashSenha } from '#security/senha.ts'
import { checkSenha } from './conferir-senha.ts'
import { changeSenha } from './redefinir-senha.ts'
import { SEM_CONTA } from './sem-conta.ts'
import { revokeSessoes } from './sessoes.ts'
import { findUsuario } from './usuario.ts'

type TrocarDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>

/** Changes the password and ends all other sessions of the usuario. Throws `senhaAtualIncorreta`. */
export async function trocarSenha(
  deps: TrocarDeps,
  sessao: Pedinte,
  pedido: { readonly senhaAtual: string; readonly novaSenha: string },
): Promise<void> {
  const { usuarioId, tokenHash, email, ip } = sessao
  const lido = await deps.db.transaction(SEM_CONTA, (tx) => findUsuario(tx, { id: usuarioId }))
  const confere = await checkSenha(deps, lido?.senhaHash ?? null, { email, senha: pedido.senhaAtual, ip })
  if (!confere || lido === null) {
    const detalhe = 'A senha atual não confere'
    await deps.db.transaction(SEM_CONTA, (tx) =>
      registrarAuditoria(tx, deps, { acao: 'senhaTrocada', quem: sessao, resultado: 'recusado', detalhe }),
    )
    throw new AppError('senhaAtualIncorreta')
  }
  const senhaHash = await hashSenha(pedido.novaSenha)

  await deps.db.transaction(SEM_CONTA, async (tx) => {
    const atual = await findUsuario(tx, { id: usuarioId }, { lock: true })
    if (atual?.senhaHash !== lido.senhaHash) throw new AppError('senhaAtualIncorreta')
    await changeSenha(tx, deps, usuarioId, senhaHash)
    await revokeSessoes(tx, deps, { usuarioId, exceto: tokenHash })
    await registrarAuditoria(tx, deps, { acao: 'senhaTrocada', quem: sessao })
  })
}
