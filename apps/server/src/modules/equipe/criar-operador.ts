import type { Operador } from '@balcao/contract/entities/operador'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { lockConta } from '#modules/configuracao/index.ts'
import { hashSenha } from '#security/senha.ts'
import { exigirSetores } from './conferir.ts'
import { type ConvidarDeps, convidar } from './convidar.ts'
import { insertOperador, listOperadores, lockOperador } from './repository.ts'
import { OPERADORES_MAXIMO } from './rules.ts'

interface Pedido {
  readonly nome: string
  readonly email: string
  readonly setores: readonly string[]
  readonly senha?: string | undefined
}

/**
 * Creates an operador. Without `senha` an invitation is sent by e-mail. Throws `setorDesconhecido`, `limitePlano`,
 * `emailJaCadastrado` or `muitasTentativas`.
 */
export async function criarOperador(
  deps: Pick<Deps, 'db'> & ConvidarDeps,
  sessao: Pedinte,
  { nome, email, setores: pedidos, senha }: Pedido,
): Promise<Operador> {
  const { contaId } = sessao
  const senhaHash = senha === undefined ? null : await hashSenha(senha)
  return deps.db.transaction(contaId, async (tx) => {
    await lockConta(tx, contaId)
    const setores = await exigirSetores(tx, deps, contaId, pedidos)
    const { length: usado } = await listOperadores(tx, contaId)
    if (usado >= OPERADORES_MAXIMO) {
      const erro = `Uma conta pode ter até ${OPERADORES_MAXIMO} operadores.`
      throw new AppError('limitePlano', { erro, usado, limite: OPERADORES_MAXIMO })
    }
    const id = deps.ids.uuid()
    await insertOperador(tx, contaId, { id, nome, email, setores, senhaHash, em: deps.clock.now() })
    if (senhaHash === null) await convidar(tx, deps, sessao, { id, nome, email })
    const acao = senhaHash === null ? 'operadorConvidado' : 'operadorCriado'
    await registrarAuditoria(tx, deps, { acao, quem: sessao, alvo: { id, nome, email } })
    return lockOperador(tx, contaId, id)
  })
}
