import { botStatusRoute, iniciarBotRoute, limparSessaoRoute, pararBotRoute } from '@balcao/contract/routes/bot'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { apagarTokenEmUso } from '#modules/oficial/index.ts'
import { verStatus, visaoDe } from '#realtime/salas.ts'

const MENSAGENS = {
  iniciando: 'Iniciando bot...',
  conectado: 'Bot conectado!',
  parado: 'Bot parado',
  limpa: 'Sessão limpa! Inicie o bot novamente para gerar novo QR Code.',
} as const

export function botRoutes({ bots, db }: Deps): BoundRoute[] {
  return [
    bind(iniciarBotRoute, async ({ sessao }) => {
      const status = await bots.iniciar(sessao.contaId)
      return { ...status, mensagem: status.isRunning ? MENSAGENS.conectado : MENSAGENS.iniciando }
    }),
    bind(pararBotRoute, async ({ sessao }) => ({ ...(await bots.parar(sessao.contaId)), mensagem: MENSAGENS.parado })),
    bind(limparSessaoRoute, async ({ sessao }) => {
      await bots.limparSessao(sessao.contaId)
      await db.transaction(sessao.contaId, (tx) => apagarTokenEmUso(tx, sessao.contaId))
      return { ...(await bots.status(sessao.contaId)), mensagem: MENSAGENS.limpa }
    }),
    bind(botStatusRoute, async ({ sessao }) => verStatus(await bots.status(sessao.contaId), visaoDe(sessao))),
  ]
}
