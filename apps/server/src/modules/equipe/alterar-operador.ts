import type { Operador } from '@balcao/contract/entities/operador'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { changeSenha, revokeSessoes } from '#modules/auth/index.ts'
import { lockConta } from '#modules/configuracao/index.ts'
import { hashSenha } from '#security/senha.ts'
import { exigirSetores } from './conferir.ts'
import { type ConvidarDeps, convidar } from './convidar.ts'
import { afastar, type SairDeps } from './afastar.ts'
import { cancelLinks, lockOperador, updateOperador } from './repository.ts'

export interface Mudanca {
  readonly nome?: string | undefined
  readonly email?: string | undefined
  readonly setores?: readonly string[] | undefined
  readonly senha?: string | undefined
  readonly ativo?: boolean | undefined
}

type AlterarDeps = ConvidarDeps & SairDeps & Pick<Deps, 'db'>

/**
 * Changes the given fields. Deactivation ends sessions and sockets immediately and returns the conversas to the
 * queue. Throws `naoEncontrado`, `setorDesconhecido` or `emailJaCadastrado`.
 */
export async function alterarOperador(
  deps: AlterarDeps,
  sessao: Pedinte,
  id: string,
  mudanca: Mudanca,
): Promise<Operador> {
  const { contaId } = sessao
  const senhaHash = mudanca.senha === undefined ? null : await hashSenha(mudanca.senha)
  try {
    return await deps.db.transaction(contaId, async (tx) => {
      await lockConta(tx, contaId)
      const antes = await lockOperador(tx, contaId, id)
      const depois = await compor(tx, deps, contaId, antes, mudanca)
      await updateOperador(tx, contaId, depois)
      await trocarAcesso(tx, deps, sessao, { antes, depois, senhaHash })
      if (depois.status === 'inativo' && antes.status !== 'inativo') await afastar(tx, deps, contaId, id)
      const alvo = { id, nome: depois.nome, email: depois.email }
      await registrarAuditoria(tx, deps, {
        acao: 'operadorAlterado',
        quem: sessao,
        alvo,
        detalhe: oQueMudou(antes, depois, mudanca),
      })
      tx.afterCommit(() => {
        deps.forgetSessions()
        // The reconnect updates the name in presence and makes the browser refetch its setores.
        if (antes.nome !== depois.nome || antes.setores.join() !== depois.setores.join())
          deps.realtime.disconnect({ usuarioId: id })
      })
      return lockOperador(tx, contaId, id)
    })
  } catch (error) {
    throw isEmailRepetido(error) ? new AppError('emailJaCadastrado') : error
  }
}

/**
 * Lists the changed fields without values, because the audit trail keeps names and e-mails only in columns that can
 * be cleared.
 */
function oQueMudou(antes: Operador, depois: Operador, { senha }: Mudanca): string {
  const mudou = [
    antes.nome === depois.nome ? null : 'nome',
    antes.email === depois.email ? null : 'e-mail',
    antes.setores.join() === depois.setores.join() ? null : 'setores',
    senha === undefined ? null : 'senha',
    antes.status === depois.status ? null : depois.status === 'ativo' ? 'agora ativo' : 'agora inativo',
  ]
  return mudou.filter((parte) => parte !== null).join(', ')
}

async function compor(
  tx: Tx,
  deps: AlterarDeps,
  contaId: string,
  antes: Operador,
  { nome, email, setores, ativo }: Mudanca,
): Promise<Operador> {
  return {
    ...antes,
    nome: nome ?? antes.nome,
    email: email ?? antes.email,
    setores: setores === undefined ? antes.setores : [...(await exigirSetores(tx, deps, contaId, setores))],
    status: ativo === undefined ? antes.status : ativo ? 'ativo' : 'inativo',
  }
}

interface Troca {
  readonly antes: Operador
  readonly depois: Operador
  readonly senhaHash: string | null
}

/** A new password ends the sessions. A new e-mail cancels open links and sends a pending invitation again. */
async function trocarAcesso(
  tx: Tx,
  deps: AlterarDeps,
  sessao: Pedinte,
  { antes, depois, senhaHash }: Troca,
): Promise<void> {
  const { id } = depois
  if (senhaHash !== null) {
    await changeSenha(tx, deps, id, senhaHash)
    await revokeSessoes(tx, deps, { usuarioId: id })
  } else if (antes.email !== depois.email) {
    await cancelLinks(tx, id, deps.clock.now())
    if (antes.convitePendente) await convidar(tx, deps, sessao, depois)
  }
}

function isEmailRepetido(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'usuarios_email'
}
