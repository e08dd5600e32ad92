import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { phoneDigits } from '@balcao/contract/entities/telefone'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { codeLimits, countAttempt } from '#modules/auth/index.ts'
import { clearTokenInUse } from '#modules/oficial/index.ts'
import type { LineKey } from '#ports/bots.ts'

const TEXTS = {
  iniciando: 'Iniciando bot...',
  conectado: 'Bot conectado!',
  parado: 'Bot parado',
  limpa: 'Sessão limpa! Inicie o bot novamente para gerar novo QR Code.',
} as const

type AnnouncedStatus = BotStatus & { readonly mensagem: string }

export interface SessionActs {
  readonly start: (line: LineKey) => Promise<AnnouncedStatus>
  readonly stop: (line: LineKey, requester: RequestSession) => Promise<AnnouncedStatus>
  readonly clear: (line: LineKey, requester: RequestSession) => Promise<AnnouncedStatus>
  readonly pair: (line: LineKey, telefone: string) => Promise<{ readonly codigo: string; readonly expiraEm: string }>
}

/** The orders of people for the session of a line: `/bot` for the main line, `/linhas/:id` for any. */
export function sessionActs(deps: Deps): SessionActs {
  const { bots, db } = deps
  return {
    start: async (line) => {
      const status = await bots.start(line)
      return { ...status, mensagem: status.isRunning ? TEXTS.conectado : TEXTS.iniciando }
    },
    stop: async (line, { nome }) => ({ ...(await bots.stop(line, nome)), mensagem: TEXTS.parado }),
    clear: async (line, requester) => {
      await bots.clearSession(line, requester)
      await db.transaction(line.contaId, (tx) => clearTokenInUse(tx, line))
      return { ...(await bots.status(line)), mensagem: TEXTS.limpa }
    },
    pair: async (line, numero) => {
      const telefone = phoneDigits(numero)
      await db.transaction(line.contaId, (tx) => countAttempt(tx, deps, codeLimits(deps, line.contaId, telefone)))
      const { codigo, expiraEm } = await bots.pairingCode(line, telefone)
      return { codigo, expiraEm: expiraEm.toISOString() }
    },
  }
}
