import { NOME_DO_PLANO, type Plano } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { createConta, requireAcceptable } from '#modules/auth/index.ts'
import { enqueueMail, contaActivatedMail } from '#modules/emails/index.ts'
import { getUsuarioAdmin, isEmailReserved, toUsuarioAdmin } from '#modules/usuarios/repository.ts'
import { recordAct, writePlano } from './change-conta.ts'

interface NewUsuario {
  readonly nome: string
  readonly email: string
  readonly senha: string
  readonly telefone: string
  readonly empresa: string
  readonly plano?: Plano | undefined
  readonly tipo?: 'admin' | 'usuario' | undefined
}

/** Creates an active conta. With `plano` its limits apply immediately, otherwise the defaults of the installation. */
export async function createUsuario(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'passwords' | 'mailQueued' | 'settings'>,
  actor: RequestSession,
  input: NewUsuario,
): Promise<UsuarioAdmin> {
  const { plano, tipo = 'usuario', senha, ...pessoa } = input
  await deps.db.transaction([], (tx) => requireAcceptable(tx, senha, { ...pessoa, tipo, segundoFator: false }))
  const senhaHash = await deps.passwords.hash(senha, actor.ip)
  const contaId = deps.ids.uuid()
  return deps.db.transaction(contaId, async (tx) => {
    await requireNotReserved(tx, pessoa.email)
    const id = await createConta(tx, deps, { ...pessoa, contaId, senhaHash, tipo, status: 'ativo' })
    const mail = contaActivatedMail({ nome: pessoa.nome, urlPublica: deps.settings.urlPublica })
    await enqueueMail(tx, deps, { tipo: 'ativacao', para: pessoa.email, contaId, ...mail })
    const target = { id, nome: pessoa.nome, email: pessoa.email, contaId }
    const detalhe = tipo === 'admin' ? 'Administrador' : ''
    await recordAct(tx, deps, { acao: 'usuarioCriado', quem: actor, detalhe }, target)
    if (plano !== undefined) {
      await writePlano(tx, contaId, plano)
      const applied = `Conta criada com o plano ${NOME_DO_PLANO[plano]}`
      await recordAct(tx, deps, { acao: 'planoAplicado', quem: actor, detalhe: applied }, target)
    }
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), id))
  })
}

/** The list of usuarios hides deleted contas, so the error text says where the person is. */
async function requireNotReserved(tx: Tx, email: string): Promise<void> {
  if (!(await isEmailReserved(tx, { email }))) return
  throw new AppError('emailJaCadastrado', {
    erro: 'Este e-mail é de uma conta excluída. Restaure-a em Usuários › Excluídos, ou espere até que seja apagada de vez.',
  })
}
