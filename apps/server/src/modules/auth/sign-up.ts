import * as z from 'zod/mini'
import type { BodyOf } from '@balcao/contract/define-route'
import type { registrarRoute } from '@balcao/contract/routes/cadastro'
import { sql } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { enqueueMail, signUpMail } from '#modules/emails/index.ts'
import { countAttempt, signUpLimit } from './attempts.ts'
import { createConta, getAdminSettings } from './create-conta.ts'
import { NO_CONTA } from './login-sessions.ts'
import { requireAcceptable } from './senha/password-rule.ts'
import { findUsuario } from './usuario.ts'

type SignUpInput = BodyOf<typeof registrarRoute>

const lockSignUp = noRows('auth: lock sign-up', sql`select pg_advisory_xact_lock(hashtextextended('cadastro', 0))`)

const countFree = oneValue(
  'auth: count free contas',
  z.int(),
  sql`select count(*)::int as value from contas where plano = 'gratuito' and not sem_limite and excluida_em is null`,
)

const listAdmins = manyRows(
  'auth: list admins',
  z.object({ nome: z.string(), email: z.string() }),
  sql`select nome, email from usuarios where tipo = 'admin' and status = 'ativo' and excluido_em is null`,
)

type SignUpDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'passwords' | 'mailQueued' | 'settings'>

export async function signUp(deps: SignUpDeps, input: SignUpInput, ip: string): Promise<void> {
  await deps.db.transaction(NO_CONTA, async (tx) => {
    await requireSignUpOpen(tx)
    await countAttempt(tx, deps, [signUpLimit(ip)])
  })
  // Checked before the expensive hash, and again under the lock.
  await deps.db.transaction(NO_CONTA, async (tx) => {
    await requireFreeAddress(tx, input.email)
    await requireAcceptable(tx, input.senha, { ...input, tipo: 'usuario', segundoFator: false })
  })
  const senhaHash = await deps.passwords.hash(input.senha, ip)

  const contaId = deps.ids.uuid()
  await deps.db.transaction(contaId, async (tx) => {
    await lockSignUp(tx, {})
    await requireSignUpOpen(tx)
    await requireFreeAddress(tx, input.email)
    const { nome, email, telefone, empresa, planoDesejado } = input
    const person = { nome, email, telefone, empresa, planoDesejado, senhaHash }
    const usuarioId = await createConta(tx, deps, { ...person, contaId, tipo: 'usuario', status: 'pendente' })
    await recordAuditoria(tx, deps, { acao: 'contaCadastrada', quem: { usuarioId, contaId, nome, email, ip } })
    await notifyAdmins(tx, deps, contaId, input)
  })
}

async function requireSignUpOpen(tx: Tx): Promise<void> {
  const { permitirAutoRegistro } = await getAdminSettings(tx)
  if (!permitirAutoRegistro) throw new AppError('cadastroFechado')
}

/** The address comes before the cap of the plan, because a registered person should log in. */
async function requireFreeAddress(tx: Tx, email: string): Promise<void> {
  if ((await findUsuario(tx, { email })) !== null) throw new AppError('emailJaCadastrado')
  const { limiteUsuariosPorPlano } = await getAdminSettings(tx)
  if ((await countFree(tx, {})) >= limiteUsuariosPorPlano) throw new AppError('limiteUsuariosPlano')
}

async function notifyAdmins(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'vault' | 'mailQueued' | 'settings'>,
  contaId: string,
  { nome, email, empresa, planoDesejado }: SignUpInput,
): Promise<void> {
  const admins = await listAdmins(tx, {})
  const { urlPublica } = deps.settings
  for (const admin of admins) {
    const mail = signUpMail({ admin: admin.nome, nome, email, empresa, planoDesejado, urlPublica })
    await enqueueMail(tx, deps, { tipo: 'cadastro', para: admin.email, contaId, ...mail })
  }
}
