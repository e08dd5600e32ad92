import {
  conviteRoute,
  esqueciSenhaRoute,
  euRoute,
  loginRoute,
  logoutRoute,
  opcoesRegistroRoute,
  redefinirSenhaRoute,
  registrarRoute,
  trocarSenhaRoute,
} from '@balcao/contract/routes/auth'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { getAdminConfiguracoes } from './criar-conta.ts'
import { entrar } from './entrar.ts'
import { lerConvite } from './ler-convite.ts'
import { pedirRedefinicao } from './pedir-redefinicao.ts'
import { redefinirSenha } from './redefinir-senha.ts'
import { registrar } from './registrar.ts'
import { SEM_CONTA } from './sem-conta.ts'
import { revokeSessoes } from './sessoes.ts'
import { trocarSenha } from './trocar-senha.ts'
import { findUsuario, toUsuario } from './usuario.ts'

const CADASTRO_FEITO = 'Cadastro realizado com sucesso! Aguarde aprovação do administrador.'
const REDEFINICAO_PEDIDA = 'Se este e-mail estiver cadastrado, você receberá um link para redefinir a senha.'

type AuthDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'settings' | 'realtime' | 'forgetSessions'>

export function authRoutes(deps: AuthDeps): BoundRoute[] {
  return [
    bind(registrarRoute, async ({ body, ip }) => {
      await registrar(deps, body, ip)
      return { mensagem: CADASTRO_FEITO }
    }),
    bind(opcoesRegistroRoute, () =>
      deps.db.transaction(SEM_CONTA, async (tx) => {
        const { permitirAutoRegistro } = await getAdminConfiguracoes(tx)
        return { permitirAutoRegistro }
      }),
    ),
    bind(loginRoute, async ({ body, ip, agente, request }) => {
      const { email, senha, lembrar } = body
      const entrada = await entrar(deps, { email, senha, lembrar: lembrar === true, ip, agente })
      request.server.knownTokens.add(entrada.token)
      return entrada
    }),
    bind(logoutRoute, ({ sessao }) =>
      deps.db.transaction(SEM_CONTA, async (tx) => {
        await revokeSessoes(tx, deps, { tokenHash: sessao.tokenHash })
        await registrarAuditoria(tx, deps, { acao: 'sair', quem: sessao })
      }),
    ),
    bind(euRoute, ({ sessao }) =>
      deps.db.transaction(SEM_CONTA, async (tx) => {
        const usuario = await findUsuario(tx, { id: sessao.usuarioId })
        if (usuario === null) throw new AppError('semSessao')
        return { usuario: toUsuario(usuario) }
      }),
    ),
    bind(esqueciSenhaRoute, async ({ body, ip }) => {
      await pedirRedefinicao(deps, body.email, ip)
      return { mensagem: REDEFINICAO_PEDIDA }
    }),
    bind(conviteRoute, ({ query, ip }) => lerConvite(deps, { token: query.token, ip })),
    bind(redefinirSenhaRoute, ({ body, ip }) => redefinirSenha(deps, { ...body, ip })),
    bind(trocarSenhaRoute, ({ sessao, body }) => trocarSenha(deps, sessao, body)),
  ]
}
