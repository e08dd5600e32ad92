import type { Credencial, GivenProof } from '@balcao/contract/entities/identidade'
import type { ErrorCode } from '@balcao/contract/errors'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { challengeLimit, countAttempt, loginLimit } from '#modules/auth/attempts.ts'
import { NO_CONTA, confirmLoginSession } from '#modules/auth/login-sessions.ts'
import { checkGuess } from '#modules/auth/senha/check-password.ts'
import {
  enter,
  type EnterDeps,
  type LoginResult,
  loginActor,
  recordRefusal,
  loginRefusal,
  refuseLogin,
  type Visit,
} from '#modules/auth/sessions/enter.ts'
import { findUsuario, type Identity } from '#modules/auth/usuario.ts'
import { loginOptions } from '#modules/auth/passkeys/webauthn.ts'
import { finishLogin, openChallenge, tryLogin } from './challenges.ts'
import { notifyPerson } from './record-change.ts'
import { checkCredential, METHOD_OF, type ProofDeps, prove } from './prove.ts'

type StepDeps = ProofDeps & EnterDeps

const WRONG_PASSKEY = 'Esta chave de acesso não foi aceita. Tente de novo ou entre com a senha.'

function wrongProof(proof: GivenProof['tipo']): AppError {
  if (proof === 'senha') return new AppError('senhaAtualIncorreta')
  if (proof === 'codigo') return new AppError('codigoIncorreto')
  const erro = proof === 'credencial' ? WRONG_PASSKEY : 'O código de recuperação está incorreto ou já foi usado.'
  return new AppError('codigoIncorreto', { erro })
}

type Entered = { readonly recusa: ErrorCode } | { readonly recusa: null; readonly result: LoginResult }

/** Throws `codigoIncorreto`, `desafioVencido` and the errors of a login. */
export async function finishSecondStep(
  deps: StepDeps,
  { desafio, proof, ...browser }: Omit<Visit, 'lembrar'> & { readonly desafio: string; readonly proof: GivenProof },
): Promise<LoginResult> {
  const { lembrar, person } = await deps.db.transaction(NO_CONTA, async (tx) => {
    const opened = await tryLogin(tx, deps, desafio)
    return { ...opened, person: await findUsuario(tx, { id: opened.usuarioId }) }
  })
  if (person === null) throw new AppError('desafioVencido')
  const { ip } = browser
  const entered = await prove(deps, person, { proof, ip }, async (tx): Promise<Entered> => {
    // Locked before the row of the login goes, in the order of a revocation.
    const usuario = await findUsuario(tx, { id: person.id }, { lock: true })
    await finishLogin(tx, desafio)
    if (usuario === null) throw new AppError('desafioVencido')
    const recusa = await loginRefusal(tx, usuario)
    if (recusa !== null) return { recusa }
    if (proof.tipo === 'recuperacao') await reportRecovery(tx, deps, usuario, ip)
    return { recusa, result: await enter(tx, deps, usuario, { ...browser, lembrar, metodo: METHOD_OF[proof.tipo] }) }
  })
  if (entered === null) {
    await recordRefusal(deps, person, ip, { detalhe: 'A segunda etapa não confere' })
    throw wrongProof(proof.tipo)
  }
  return entered.recusa === null ? entered.result : refuseLogin(deps, person, ip, entered.recusa)
}

async function reportRecovery(tx: Tx, deps: StepDeps, usuario: Identity, ip: string): Promise<void> {
  await recordAuditoria(tx, deps, { acao: 'codigoRecuperacaoUsado', quem: loginActor(usuario, ip) })
  await notifyPerson(tx, deps, usuario, {
    assunto: 'Um código de recuperação foi usado',
    acontecimento: 'um código de recuperação da sua conta foi usado para entrar. Ele não funciona mais.',
  })
}

export async function offerPasskeys(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'settings'>,
  ip: string,
): Promise<{ desafio: string; opcoes: ReturnType<typeof loginOptions>; expiraEm: string }> {
  const { token, sorteio, expiraEm } = await deps.db.transaction(NO_CONTA, async (tx) => {
    await countAttempt(tx, deps, [challengeLimit(ip)])
    return openChallenge(tx, deps, null)
  })
  return { desafio: token, opcoes: loginOptions(deps.settings.urlPublica, sorteio), expiraEm: expiraEm.toISOString() }
}

/** Throws `codigoIncorreto` and the errors of a login. */
export async function enterWithPasskey(
  deps: StepDeps,
  { desafio, credencial, ...visit }: Visit & { readonly desafio: string; readonly credencial: Credencial },
): Promise<LoginResult> {
  const { ip } = visit
  let entered: (Entered & { readonly person: Identity | null }) | null = null
  // The person is unknown until the signature is right, so wrong tries count for the passkey and the address.
  await checkGuess(deps, { email: `passkey ${credencial.id}`, ip }, async (guard) => {
    await guard.before()
    const found = await checkCredential(deps, credencial, desafio)
    if (found === null) return false
    entered = await deps.db.transaction(NO_CONTA, async (tx) => {
      const person = await findUsuario(tx, { id: found.usuarioId }, { lock: true })
      if (person === null || !(await found.spend(tx))) return null
      const recusa = await loginRefusal(tx, person)
      if (recusa !== null) return { recusa, person }
      await countAttempt(tx, deps, [loginLimit(person.id)])
      return { recusa, person, result: await enter(tx, deps, person, { ...visit, metodo: 'passkey' }) }
    })
    if (entered === null) return false
    await guard.right()
    return true
  })
  return concludePasskey(deps, entered, ip)
}

async function concludePasskey(
  deps: StepDeps,
  entered: (Entered & { readonly person: Identity | null }) | null,
  ip: string,
): Promise<LoginResult> {
  if (entered === null || entered.person === null) throw wrongProof('credencial')
  return entered.recusa === null ? entered.result : refuseLogin(deps, entered.person, ip, entered.recusa)
}

/** Throws `senhaAtualIncorreta` or `codigoIncorreto`. */
export async function confirmIdentity(
  deps: ProofDeps & Pick<Deps, 'ids' | 'forgetSessions'>,
  session: RequestSession,
  proof: GivenProof,
): Promise<void> {
  const { usuarioId, tokenHash, ip } = session
  const person = await deps.db.transaction(NO_CONTA, (tx) => findUsuario(tx, { id: usuarioId }))
  if (person === null) throw new AppError('semSessao')
  const confirmed = await prove(deps, person, { proof, ip }, async (tx) => {
    await confirmLoginSession(tx, deps, tokenHash)
    await recordAuditoria(tx, deps, { acao: 'identidadeConfirmada', quem: session })
    return true
  })
  if (confirmed !== null) return
  await deps.db.transaction(NO_CONTA, (tx) =>
    recordAuditoria(tx, deps, { acao: 'identidadeConfirmada', quem: session, resultado: 'recusado' }),
  )
  throw wrongProof(proof.tipo)
}
