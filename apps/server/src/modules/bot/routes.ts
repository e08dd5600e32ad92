import { botStatusRoute, iniciarBotRoute, limparSessaoRoute, pararBotRoute } from '@balcao/contract/routes/bot'
import { codigoBotRoute } from '@balcao/contract/routes/bot-codigo'
import { digitosDoTelefone } from '#bot/endereco.ts'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { countAttempt, limitesDeCodigo } from '#modules/auth/index.ts'
import { verConfig } from '#modules/configuracao/index.ts'
import { apagarTokenEmUso } from '#modules/oficial/index.ts'
import { verStatus, visaoDe } from '#realtime/salas.ts'

const MENSAGENS = {
  iniciando: 'Iniciando bot...',
  conectado: 'Bot conectado!',
  parado: 'Bot parado',
  limpa: 'Sessão limpa! Inicie o bot novamente para gerar novo QR Code.',
} as const

export function botRoutes(deps: Deps): BoundRoute[] {
  const { bots, db } = deps
  return [
    bind(iniciarBotRoute, async ({ sessao }) => {
      const status = await bots.iniciar(sessao.contaId)
      return { ...status, mensagem: status.isRunning ? MENSAGENS.conectado : MENSAGENS.iniciando }
    }),
    bind(pararBotRoute, async ({ sessao }) => ({
      ...(await bots.parar(sessao.contaId, sessao.nome)),
      mensagem: MENSAGENS.parado,
    })),
    bind(limparSessaoRoute, async ({ sessao }) => {
      await bots.limparSessao(sessao.contaId, sessao)
      await db.transaction(sessao.contaId, (tx) => apagarTokenEmUso(tx, sessao.contaId))
      return { ...(await bots.status(sessao.contaId)), mensagem: MENSAGENS.limpa }
    }),
    bind(codigoBotRoute, async ({ sessao, body }) => {
      const telefone = digitosDoTelefone(body.telefone)
      await db.transaction(sessao.contaId, (tx) => countAttempt(tx, deps, limitesDeCodigo(sessao.contaId, telefone)))
      const { codigo, expiraEm } = await bots.codigo(sessao.contaId, telefone)
      return { codigo, expiraEm: expiraEm.toISOString() }
    }),
    bind(botStatusRoute, async ({ sessao }) => {
      const [status, configuracao] = await Promise.all([bots.status(sessao.contaId), verConfig(deps, sessao.contaId)])
      return { ...verStatus(status, visaoDe(sessao)), configuracao }
    }),
  ]
}
