import type { Plano } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Pedinte } from '#http/authentication.ts'
import { criarConta } from '#modules/auth/index.ts'
import { enqueueMail, textoContaAtivada } from '#modules/emails/index.ts'
import { hashSenha } from '#security/senha.ts'
import { auditar } from './auditar.ts'
import { getUsuarioAdmin, isReservado, toUsuarioAdmin } from './repository.ts'

interface NovoUsuario {
  readonly nome: string
  readonly email: string
  readonly senha: string
  readonly telefone: string
  readonly empresa: string
  readonly plano?: Plano | undefined
  readonly tipo?: 'admin' | 'usuario' | undefined
}

export async function criarUsuario(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'settings'>,
  quem: Pedinte,
  novo: NovoUsuario,
): Promise<UsuarioAdmin> {
  const { plano, tipo = 'usuario', senha, ...pessoa } = novo
  const senhaHash = await hashSenha(senha)
  const contaId = deps.ids.uuid()
  return deps.db.transaction(contaId, async (tx) => {
    await explainReserved(tx, pessoa.email)
    const id = await criarConta(tx, deps, {
      ...pessoa,
      contaId,
      senhaHash,
      tipo,
      status: 'ativo',
      ...(plano === undefined ? {} : { plano }),
    })
    const carta = textoContaAtivada({ nome: pessoa.nome, urlPublica: deps.settings.urlPublica })
    await enqueueMail(tx, deps, { tipo: 'ativacao', para: pessoa.email, contaId, ...carta })
    const alvo = { id, nome: pessoa.nome, email: pessoa.email, contaId }
    const detalhe = tipo === 'admin' ? 'Administrador' : ''
    await auditar(tx, deps, { acao: 'usuarioCriado', quem, detalhe }, alvo)
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), id))
  })
}

/** The list of usuarios hides deleted contas, so the error text says where the person is. */
async function explainReserved(tx: Tx, email: string): Promise<void> {
  if (!(await isReservado(tx, email))) return
  throw new AppError('emailJaCadastrado', {
    erro: 'Este e-mail é de uma conta excluída. Restaure-a em Usuários › Excluídos, ou espere até que seja apagada de vez.',
  })
}
