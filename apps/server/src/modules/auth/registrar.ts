import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { enqueueMail, textoNovoCadastro } from '#modules/emails/index.ts'
import { hashSenha } from '#security/senha.ts'
import { criarConta, getAdminConfiguracoes } from './criar-conta.ts'
import { SEM_CONTA } from './sem-conta.ts'
import { countAttempt, limiteDeCadastro } from './tentativas.ts'
import { findUsuario } from './usuario.ts'

/** Fields a visitor may set. Role, status and limits are set by the server. */
export interface Cadastro {
  readonly nome: string
  readonly email: string
  readonly senha: string
  readonly telefone: string
  readonly empresa: string
}

type RegistrarDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'settings'>

export async function registrar(deps: RegistrarDeps, cadastro: Cadastro, ip: string): Promise<void> {
  await deps.db.transaction(SEM_CONTA, async (tx) => {
    await checkOpen(tx)
    await countAttempt(tx, deps, [limiteDeCadastro(ip)])
  })
  // Checked before the expensive hash, and again under the lock.
  await deps.db.transaction(SEM_CONTA, (tx) => checkRoom(tx, cadastro.email))
  const senhaHash = await hashSenha(cadastro.senha)

  const contaId = deps.ids.uuid()
  await deps.db.transaction(contaId, async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended('cadastro', 0))")
    await checkOpen(tx)
    await checkRoom(tx, cadastro.email)
    const usuarioId = await criarConta(tx, deps, {
      contaId,
      nome: cadastro.nome,
      email: cadastro.email,
      telefone: cadastro.telefone,
      empresa: cadastro.empresa,
      senhaHash,
      tipo: 'usuario',
      status: 'pendente',
    })
    const { nome, email } = cadastro
    await registrarAuditoria(tx, deps, { acao: 'contaCadastrada', quem: { usuarioId, contaId, nome, email, ip } })
    await tellAdmins(tx, deps, contaId, cadastro)
  })
}

async function checkOpen(tx: Tx): Promise<void> {
  const { permitirAutoRegistro } = await getAdminConfiguracoes(tx)
  if (!permitirAutoRegistro) throw new AppError('cadastroFechado')
}

/** Checks the address before the cap of the plan, because a registered person should log in. */
async function checkRoom(tx: Tx, email: string): Promise<void> {
  if ((await findUsuario(tx, { email })) !== null) throw new AppError('emailJaCadastrado')
  const { limiteUsuariosPorPlano } = await getAdminConfiguracoes(tx)
  const { quantos } = await tx.kysely
    .selectFrom('contas')
    .select((eb) => eb.fn.countAll<number>().as('quantos'))
    .where('plano', '=', 'gratuito')
    .where('semLimite', '=', false)
    .where('excluidaEm', 'is', null)
    .executeTakeFirstOrThrow()
  if (quantos >= limiteUsuariosPorPlano) throw new AppError('limiteUsuariosPlano')
}

async function tellAdmins(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'cofre' | 'settings'>,
  contaId: string,
  { nome, email, empresa }: Cadastro,
): Promise<void> {
  const admins = await tx.kysely
    .selectFrom('usuarios')
    .select(['nome', 'email'])
    .where('tipo', '=', 'admin')
    .where('status', '=', 'ativo')
    .where('excluidoEm', 'is', null)
    .execute()
  const { urlPublica } = deps.settings
  for (const admin of admins) {
    const carta = textoNovoCadastro({ admin: admin.nome, nome, email, empresa, urlPublica })
    await enqueueMail(tx, deps, { tipo: 'cadastro', para: admin.email, contaId, ...carta })
  }
}
