import { botStatusRoute, iniciarBotRoute, limparSessaoRoute, pararBotRoute } from '@balcao/contract/routes/bot'
import { codigoBotRoute } from '@balcao/contract/routes/bot-codigo'
import { phoneDigits } from '@balcao/contract/entities/telefone'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { countAttempt, codeLimits } from '#modules/auth/index.ts'
import { readConfig } from '#modules/configuracao/index.ts'
import { clearTokenInUse } from '#modules/oficial/index.ts'
import { visibleStatus, statusViewOf } from '#realtime/rooms.ts'

const BOT_TEXTS = {
  iniciando: 'Iniciando bot...',
  conectado: 'Bot conectado!',
  parado: 'Bot parado',
  limpa: 'Sessão limpa! Inicie o bot novamente para gerar novo QR Code.',
} as const

export function botRoutes(deps: Deps): BoundRoute[] {
  const { bots, db } = deps
  return [
    bind(iniciarBotRoute, async ({ sessao }) => {
      const status = await bots.start(sessao.contaId)
      return { ...status, mensagem: status.isRunning ? BOT_TEXTS.conectado : BOT_TEXTS.iniciando }
    }),
    bind(pararBotRoute, async ({ sessao }) => ({
      ...(await bots.stop(sessao.contaId, sessao.nome)),
      mensagem: BOT_TEXTS.parado,
    })),
    bind(limparSessaoRoute, async ({ sessao }) => {
      await bots.clearSession(sessao.contaId, sessao)
      await db.transaction(sessao.contaId, (tx) => clearTokenInUse(tx, { contaId: sessao.contaId }))
      return { ...(await bots.status(sessao.contaId)), mensagem: BOT_TEXTS.limpa }
    }),
    bind(codigoBotRoute, async ({ sessao, body }) => {
      const telefone = phoneDigits(body.telefone)
      await db.transaction(sessao.contaId, (tx) => countAttempt(tx, deps, codeLimits(deps, sessao.contaId, telefone)))
      const { codigo, expiraEm } = await bots.pairingCode(sessao.contaId, telefone)
      return { codigo, expiraEm: expiraEm.toISOString() }
    }),
    bind(botStatusRoute, async ({ sessao }) => {
      const [status, configuracao] = await Promise.all([bots.status(sessao.contaId), readConfig(deps, sessao.contaId)])
      return { ...visibleStatus(status, statusViewOf(sessao)), configuracao }
    }),
  ]
}
