import type { MetodoLogin } from '@balcao/contract/entities/identidade'
import { type ErrorCode, ERROS } from '@balcao/contract/errors'
import type { ResponseOf } from '@balcao/contract/define-route'
import type { loginRoute } from '@balcao/contract/routes/auth'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type AuditActor, recordAuditoria } from '#modules/auditoria/index.ts'
import { endOldestSessions, insertLoginSession, NO_CONTA } from '#modules/auth/login-sessions.ts'
import { type NoticeDeps, notifyPerson } from '#modules/auth/second-factor/record-change.ts'
import { hasSecondFactor, type Identity, isContaActive, toUsuario, type UsuarioRow } from '#modules/auth/usuario.ts'
import { deviceOf } from './device.ts'

export type LoginResult = ResponseOf<typeof loginRoute>

export type EnterDeps = NoticeDeps & Pick<Deps, 'realtime' | 'forgetSessions'>

export interface Visit {
  readonly lembrar: boolean
  readonly ip: string
  readonly agente: string
}

const METHOD_TEXT: Readonly<Record<MetodoLogin, string>> = {
  senha: '',
  totp: 'Com código do aplicativo',
  passkey: 'Com chave de acesso',
  recuperacao: 'Com código de recuperação',
}

/** The caller holds the lock of the row of the usuario. */
export async function enter(
  tx: Tx,
  deps: EnterDeps,
  usuario: Identity,
  { metodo, ...visit }: Visit & { readonly metodo: MetodoLogin },
): Promise<LoginResult> {
  const { token, expiraEm, aparelhoNovo } = await insertLoginSession(tx, deps, {
    usuarioId: usuario.id,
    metodo,
    ...visit,
  })
  const device = deviceOf(visit.agente)
  const details = [METHOD_TEXT[metodo], aparelhoNovo ? `Aparelho novo: ${device}` : '']
  const detalhe = details.filter((text) => text !== '').join('. ')
  await recordAuditoria(tx, deps, { acao: 'entrar', quem: loginActor(usuario, visit.ip), detalhe })
  if (aparelhoNovo) {
    const acontecimento = `alguém entrou na sua conta com um aparelho novo: ${device}, endereço ${visit.ip}.`
    await notifyPerson(tx, deps, usuario, { assunto: 'Novo aparelho na sua conta do Balcão', acontecimento })
  }
  await endOldestSessions(tx, deps, usuario.id)
  return {
    token,
    usuario: toUsuario(usuario),
    expiraEm: expiraEm.toISOString(),
    ...(usuario.exigeFator && !hasSecondFactor(usuario) ? { cadastrarSegundoFator: true as const } : {}),
  }
}

export function loginActor({ id, contaId, nome, email }: UsuarioRow, ip: string): AuditActor {
  return { usuarioId: id, contaId, nome, email, ip }
}

export async function loginRefusal(tx: Tx, usuario: UsuarioRow): Promise<ErrorCode | null> {
  switch (usuario.status) {
    case 'pendente':
      return 'contaPendente'
    case 'inativo':
      return 'contaInativa'
    case 'ativo':
      return (await isContaActive(tx, usuario)) ? null : 'contaInativa'
    default:
      return usuario.status satisfies never
  }
}

/** In its own transaction: a refusal has nothing else to commit. */
export async function recordRefusal(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  usuario: UsuarioRow,
  ip: string,
  reason: ErrorCode | { readonly detalhe: string },
): Promise<void> {
  const detalhe = typeof reason === 'string' ? ERROS[reason].erro : reason.detalhe
  await deps.db.transaction(NO_CONTA, (tx) =>
    recordAuditoria(tx, deps, { acao: 'entrar', quem: loginActor(usuario, ip), resultado: 'recusado', detalhe }),
  )
}

export async function refuseLogin(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  usuario: UsuarioRow,
  ip: string,
  reason: ErrorCode,
): Promise<never> {
  await recordRefusal(deps, usuario, ip, reason)
  throw new AppError(reason)
}
