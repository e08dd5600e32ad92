import type { ConviteCriado, Operador } from '@balcao/contract/entities/operador'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession, LoginSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import {
  requireAcceptable,
  cancelResetLinks,
  countAttempt,
  issueResetLink,
  conviteLimits,
} from '#modules/auth/index.ts'
import { lockConta } from '#modules/configuracao/index.ts'
import { insertUsuario } from '#modules/contas/index.ts'
import type { Tx } from '#db/transaction.ts'
import { enqueueMail, conviteMail } from '#modules/emails/index.ts'
import { listOperadores, lockOperador } from './repository.ts'
import { requireLinhas, requireSetores } from './require-parts.ts'
import { OPERADORES_MAX } from './rules.ts'

interface Invited {
  readonly operador: Operador
  readonly convite?: ConviteCriado
}

interface CreateOperadorInput {
  readonly nome: string
  readonly email: string
  readonly setores: readonly string[]
  readonly linhas?: readonly string[] | undefined
  readonly senha?: string | undefined
}

/**
 * Creates an operador, without `senha` with an invitation. Throws `setorDesconhecido`, `limitePlano`,
 * `emailJaCadastrado` or `muitasTentativas`.
 */
export async function createOperador(
  deps: Pick<Deps, 'db' | 'passwords'> & InviteDeps,
  session: RequestSession,
  { nome, email, setores: requests, linhas: lines = [], senha }: CreateOperadorInput,
): Promise<Invited> {
  const { contaId, empresa } = session
  if (senha !== undefined) {
    const owner = { nome, email, empresa, tipo: 'operador' as const, segundoFator: false }
    await deps.db.transaction(contaId, (tx) => requireAcceptable(tx, senha, owner))
  }
  const senhaHash = senha === undefined ? null : await deps.passwords.hash(senha, session.ip)
  return deps.db.transaction(contaId, async (tx) => {
    await lockConta(tx, contaId)
    const setores = await requireSetores(tx, deps, contaId, requests)
    const linhas = await requireLinhas(tx, contaId, lines)
    const { length: usado } = await listOperadores(tx, { contaId })
    if (usado >= OPERADORES_MAX) {
      const error = `Uma conta pode ter até ${OPERADORES_MAX} operadores.`
      throw new AppError('limitePlano', { erro: error, usado, limite: OPERADORES_MAX })
    }
    const id = deps.ids.uuid()
    const em = deps.clock.now()
    const access = { tipo: 'operador', status: 'ativo', senhaHash, setores, linhas } as const
    await insertUsuario(tx, { id, contaId, nome, email, em, ...access })
    const convite = senhaHash === null ? await inviteOperador(tx, deps, session, { id, nome, email }) : undefined
    const acao = senhaHash === null ? 'operadorConvidado' : 'operadorCriado'
    await recordAuditoria(tx, deps, { acao, quem: session, alvo: { id, nome, email } })
    return { operador: await lockOperador(tx, contaId, id), ...(convite && { convite }) }
  })
}

/** The text of the mail names the same 7 days. */
const CONVITE_MS = 7 * 24 * 3_600_000

export type InviteDeps = Pick<Deps, 'ids' | 'clock' | 'vault' | 'mailQueued' | 'mailer' | 'settings'>

/**
 * Creates a link for the first password, valid once, and queues a mail with it. Without a mail server the dono hands the
 * link over. The mail is sent even with notifications off. Throws `muitasTentativas`.
 */
export async function inviteOperador(
  tx: Tx,
  deps: InviteDeps,
  { contaId, nome: dono, empresa }: LoginSession,
  person: { readonly id: string; readonly nome: string; readonly email: string },
): Promise<ConviteCriado> {
  await countAttempt(tx, deps, conviteLimits(deps, person.email, contaId))
  const expiraEm = new Date(deps.clock.now().getTime() + CONVITE_MS).toISOString()
  const reset = await issueResetLink(tx, deps, person.id, { validadeMs: CONVITE_MS, convite: true })
  const link = `${reset}&convite=1`
  const mail = conviteMail({ nome: person.nome, email: person.email, dono, empresa, link })
  const queued = await enqueueMail(tx, deps, { tipo: 'convite', para: person.email, contaId, ...mail })
  return { link, expiraEm, emailEnviado: queued && deps.mailer.configured }
}

const INACTIVE_TEXT = 'Esta pessoa está desativada. Ative antes de reenviar o convite.'

/**
 * Sends a new invitation and cancels the earlier link. Throws `naoEncontrado`, `semConvite` if no invitation is
 * pending or the operador is inactive, or `muitasTentativas`.
 */
export async function resendConvite(
  deps: Pick<Deps, 'db'> & InviteDeps,
  session: RequestSession,
  id: string,
): Promise<Required<Invited>> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const { nome, email, status, convitePendente } = await lockOperador(tx, contaId, id)
    if (!convitePendente) throw new AppError('semConvite')
    if (status !== 'ativo') throw new AppError('semConvite', { erro: INACTIVE_TEXT })
    await cancelResetLinks(tx, { usuarioId: id, at: deps.clock.now() })
    const convite = await inviteOperador(tx, deps, session, { id, nome, email })
    await recordAuditoria(tx, deps, { acao: 'conviteReenviado', quem: session, alvo: { id, nome, email } })
    return { operador: await lockOperador(tx, contaId, id), convite }
  })
}
