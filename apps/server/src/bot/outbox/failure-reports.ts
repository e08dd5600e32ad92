import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { SessionHost } from '@balcao/connector/port'
import { markUndelivered } from './delivery.ts'
import { dropReaction } from '#modules/conversas/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import { MENSAGEM_FAILED_TEXT } from '#bot/texts.ts'

export interface MensagemFailure {
  readonly contaId: string
  readonly mensagemId: string
  readonly error: string
}

export async function logMensagemFailure(
  tx: Tx,
  deps: BotDeps,
  { contaId, mensagemId, error }: MensagemFailure,
): Promise<void> {
  await insertLog(tx, deps, contaId, {
    tipo: 'error',
    mensagem: MENSAGEM_FAILED_TEXT,
    detalhes: { mensagemId, erro: error },
  })
}

export interface FailureReportsOptions {
  readonly contaId: string
  readonly channel: string
  readonly mensagemChanged: (contaId: string, mensagemId: string) => void
  readonly mensagemMarked: (contaId: string, mensagemId: string) => void
}

const UUID = z.uuid()

export function createFailureReports(
  deps: BotDeps,
  { contaId, channel, mensagemChanged, mensagemMarked }: FailureReportsOptions,
): Pick<SessionHost, 'undelivered' | 'reactionUndelivered'> {
  return {
    undelivered: async (mensagemId, erro) => {
      if (!UUID.safeParse(mensagemId).success) return
      const changed = await deps.db.transaction(contaId, async (tx) => {
        if (!(await markUndelivered(tx, contaId, mensagemId, erro))) return false
        await logMensagemFailure(tx, deps, { contaId, mensagemId, error: erro })
        return true
      })
      if (changed) mensagemChanged(contaId, mensagemId)
    },
    reactionUndelivered: async (reaction, erro) => {
      const marked = await deps.db.transaction(contaId, async (tx) => {
        const mensagemId = await dropReaction(tx, contaId, { ...reaction, channel })
        if (mensagemId !== null) await logMensagemFailure(tx, deps, { contaId, mensagemId, error: erro })
        return mensagemId
      })
      if (marked !== null) mensagemMarked(contaId, marked)
    },
  }
}
