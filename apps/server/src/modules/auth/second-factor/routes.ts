import { givenProofs, type GivenProof } from '@balcao/contract/entities/identidade'
import {
  confirmarRoute,
  confirmarTotpRoute,
  criarPasskeyRoute,
  entrarPasskeyRoute,
  iniciarTotpRoute,
  novosCodigosRoute,
  opcoesNovaPasskeyRoute,
  opcoesPasskeyRoute,
  passkeysRoute,
  removerPasskeyRoute,
  removerTotpRoute,
  segundoFatorRoute,
} from '@balcao/contract/routes/segundo-fator'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { NO_CONTA } from '#modules/auth/login-sessions.ts'
import {
  addPasskey,
  offerRegistration,
  removePasskey,
  renewRecoveryCodes,
} from '#modules/auth/passkeys/enrol-passkey.ts'
import { listPasskeys } from '#modules/auth/passkeys/passkeys.ts'
import { confirmIdentity, enterWithPasskey, finishSecondStep, offerPasskeys } from './second-step.ts'
import { beginTotp, finishTotp, removeTotp } from './enrol-totp.ts'
import type { ProofDeps } from './prove.ts'
import type { ChangeDeps } from './record-change.ts'

export type AuthDeps = ProofDeps & ChangeDeps & Pick<Deps, 'metrics' | 'mailer'>

/** The contract lets exactly one pass. */
function onlyProof([proof]: readonly GivenProof[]): GivenProof {
  if (proof === undefined) throw new AppError('dadosInvalidos')
  return proof
}

export function secondFactorRoutes(deps: AuthDeps, visitorDeps: (ip: string) => AuthDeps): BoundRoute[] {
  return [...loginRoutes(visitorDeps), ...enrolmentRoutes(deps)]
}

function loginRoutes(visitorDeps: (ip: string) => AuthDeps): BoundRoute[] {
  return [
    bind(segundoFatorRoute, async ({ body, ip, userAgent, request }) => {
      const step = { desafio: body.desafio, proof: onlyProof(givenProofs(body)), ip, agente: userAgent }
      const answer = await finishSecondStep(visitorDeps(ip), step)
      request.server.knownTokens.add(answer.token)
      return answer
    }),
    bind(opcoesPasskeyRoute, ({ ip }) => offerPasskeys(visitorDeps(ip), ip)),
    bind(entrarPasskeyRoute, async ({ body, ip, userAgent, request }) => {
      const { desafio, credencial, lembrar } = body
      const visit = { lembrar: lembrar === true, ip, agente: userAgent }
      const answer = await enterWithPasskey(visitorDeps(ip), { desafio, credencial, ...visit })
      request.server.knownTokens.add(answer.token)
      return answer
    }),
  ]
}

function enrolmentRoutes(deps: AuthDeps): BoundRoute[] {
  return [
    bind(iniciarTotpRoute, ({ sessao }) => beginTotp(deps, sessao)),
    bind(confirmarTotpRoute, ({ sessao, body }) => finishTotp(deps, sessao, body.codigo)),
    bind(removerTotpRoute, ({ sessao }) => removeTotp(deps, sessao)),
    bind(passkeysRoute, async ({ sessao }) => ({
      passkeys: await deps.db.transaction(NO_CONTA, (tx) => listPasskeys(tx, { usuarioId: sessao.usuarioId })),
    })),
    bind(opcoesNovaPasskeyRoute, async ({ sessao }) => ({ opcoes: await offerRegistration(deps, sessao) })),
    bind(criarPasskeyRoute, ({ sessao, body }) => addPasskey(deps, sessao, body)),
    bind(removerPasskeyRoute, ({ sessao, params }) => removePasskey(deps, sessao, params.id)),
    bind(novosCodigosRoute, ({ sessao }) => renewRecoveryCodes(deps, sessao)),
    bind(confirmarRoute, ({ sessao, body }) => confirmIdentity(deps, sessao, onlyProof(givenProofs(body)))),
  ]
}
