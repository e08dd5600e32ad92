import { registrarRoute } from '@balcao/contract/routes/cadastro'
import { conviteRoute, esqueciSenhaRoute, redefinirSenhaRoute, trocarSenhaRoute } from '@balcao/contract/routes/acesso'
import { euRoute, loginRoute, logoutRoute, opcoesRegistroRoute, salvarEuRoute } from '@balcao/contract/routes/auth'
import {
  logoutTardioRoute,
  encerrarOutrasSessoesRoute,
  encerrarSessaoRoute,
  salvarSegurancaContaRoute,
  segurancaContaRoute,
  sessoesRoute,
} from '@balcao/contract/routes/sessoes'
import { throughGate } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { Accepted, bind, type BoundRoute } from '#http/handle.ts'
import { createGate } from '#lib/queue/gate.ts'
import { networkKey } from '#lib/ip-address.ts'
import type { Deps } from '#deps.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { getAdminSettings } from './create-conta.ts'
import { type AuthDeps, secondFactorRoutes } from './second-factor/routes.ts'
import { logOutLate, endOtherSessions, endSession, listSessions } from './sessions/own-sessions.ts'
import { NO_CONTA, revokeLoginSessions } from './login-sessions.ts'
import { login } from './login.ts'
import { saveOwnData } from './own-data.ts'
import { readSecondFactors } from './second-factor/status.ts'
import { changeOwnPassword, readConvite, resetPassword } from './senha/reset-password.ts'
import { requestReset } from './senha/request-reset.ts'
import { signUp } from './sign-up.ts'
import { findUsuario, toUsuario } from './usuario.ts'
import { readAccountRules, saveAccountRules } from './sessions/account-rules.ts'

const SIGN_UP_DONE = 'Cadastro realizado com sucesso! Aguarde aprovação do administrador.'
const RESET_REQUESTED = 'Se este e-mail estiver cadastrado, você receberá um link para redefinir a senha.'
const NO_MAIL = 'Este servidor não envia e-mails. Peça uma senha nova ao administrador.'

/** Visitors hold at most 4 database connections together, so a flood of logins or resets does not delay the bots. */
const VISITORS_GATE = { atOnce: 4, waiting: 2_000, waitingPerKey: 200, full: () => new AppError('servidorOcupado') }

export function authRoutes(deps: AuthDeps): BoundRoute[] {
  const gate = createGate(VISITORS_GATE)
  const visitorDeps = (ip: string): AuthDeps => ({ ...deps, db: throughGate(deps.db, gate, networkKey(ip)) })
  return [
    bind(registrarRoute, async ({ body, ip }) => {
      await signUp(visitorDeps(ip), body, ip)
      return { mensagem: SIGN_UP_DONE }
    }),
    bind(opcoesRegistroRoute, ({ ip }) =>
      visitorDeps(ip).db.transaction(NO_CONTA, async (tx) => {
        const { permitirAutoRegistro, suporteWhatsapp, politicaSenha } = await getAdminSettings(tx)
        return { permitirAutoRegistro, suporteWhatsapp, politicaSenha, email: deps.mailer.configured }
      }),
    ),
    bind(loginRoute, async ({ body, ip, userAgent, request }) => {
      const { email, senha, lembrar } = body
      const visit = { lembrar: lembrar === true, ip, agente: userAgent }
      const answer = await login(visitorDeps(ip), { email, senha, ...visit })
      if (!(answer instanceof Accepted)) request.server.knownTokens.add(answer.token)
      return answer
    }),
    ...secondFactorRoutes(deps, visitorDeps),
    ...sessionRoutes(deps),
    {
      ...bind(logoutRoute, ({ sessao }) =>
        deps.db.transaction(NO_CONTA, async (tx) => {
          await revokeLoginSessions(tx, deps, { tokenHash: sessao.tokenHash })
          await recordAuditoria(tx, deps, { acao: 'sair', quem: sessao })
        }),
      ),
      // A shared device keeps no file of a chat after the logout.
      headers: { 'clear-site-data': '"cache"' },
    },
    bind(logoutTardioRoute, ({ body, ip }) => logOutLate(visitorDeps(ip), body.sessao, ip)),
    bind(euRoute, ({ sessao }) =>
      deps.db.transaction(NO_CONTA, async (tx) => {
        const usuario = await findUsuario(tx, { id: sessao.usuarioId })
        if (usuario === null) throw new AppError('semSessao')
        return { usuario: toUsuario(usuario), seguranca: await readSecondFactors(tx, sessao.usuarioId) }
      }),
    ),
    bind(salvarEuRoute, async ({ sessao, body }) => ({ usuario: await saveOwnData(deps, sessao, body) })),
    bind(esqueciSenhaRoute, async ({ body, ip }) => {
      await requestReset(visitorDeps(ip), body.email, ip)
      return { mensagem: deps.mailer.configured ? RESET_REQUESTED : NO_MAIL }
    }),
    bind(conviteRoute, ({ query, ip }) => readConvite(visitorDeps(ip), { token: query.token, ip })),
    bind(redefinirSenhaRoute, ({ body, ip }) => resetPassword(visitorDeps(ip), { ...body, ip })),
    bind(trocarSenhaRoute, ({ sessao, body }) => changeOwnPassword(deps, sessao, body)),
  ]
}

function sessionRoutes(deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>): BoundRoute[] {
  return [
    bind(sessoesRoute, async ({ sessao }) => ({ sessoes: await listSessions(deps, sessao) })),
    bind(encerrarSessaoRoute, ({ sessao, params }) => endSession(deps, sessao, params.id)),
    bind(encerrarOutrasSessoesRoute, ({ sessao }) => endOtherSessions(deps, sessao)),
    bind(segurancaContaRoute, ({ sessao: { contaId } }) =>
      deps.db.read(contaId, (tx) => readAccountRules(tx, contaId)),
    ),
    bind(salvarSegurancaContaRoute, ({ sessao, body }) => saveAccountRules(deps, sessao, body)),
  ]
}
