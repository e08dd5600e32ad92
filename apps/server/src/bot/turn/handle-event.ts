import type { Tx } from '#db/transaction.ts'
import type { AccountContext } from '#modules/ia/index.ts'
import type { AccountContexts } from './context.ts'
import type { Decision } from './decision.ts'
import { createFullAccounts } from './full-accounts.ts'
import { createStoreBatch } from './store-batch.ts'
import { createContatoFinder, type ReadyTurn } from './find-contatos.ts'
import type { BotDeps } from '#bot/deps.ts'
import { createRunBatch } from './batch.ts'
import type { Turn, EventTurn } from './types.ts'

export interface BatchHandlerOptions {
  readonly contexts: AccountContexts
  readonly afterCommit: (decisoes: readonly Decision[]) => void
}

export interface BatchHandler {
  /** Runs one batch and settles every turn. Returns the turns whose contato was already in the batch. */
  readonly handleBatch: (batch: readonly Turn[]) => Promise<readonly Turn[]>
  /** Applies one event inside the caller's transaction. Its messages are sent after that commit. */
  readonly applyEventIn: (tx: Tx, contaId: string, contatoId: string, evento: EventTurn['event']) => Promise<void>
  readonly contextChanged: (contaId: string) => void
  readonly forgetAddress: (chave: string) => void
}

export function createBatchHandler(deps: BotDeps, { contexts, afterCommit }: BatchHandlerOptions): BatchHandler {
  const { findContatos, forget } = createContatoFinder(deps.ids)
  const esgotadas = createFullAccounts()
  const gravarLote = createStoreBatch(deps, esgotadas)
  const tentarLote = createRunBatch(deps, { findContatos, forget, storeBatch: gravarLote, afterCommit })

  const contextoDe = async (turno: Turn): Promise<AccountContext | null> => {
    try {
      return await contexts.get(turno.contaId)
    } catch (error) {
      turno.reject(error)
      return null
    }
  }

  return {
    handleBatch: async (batch) => {
      const ready: ReadyTurn[] = []
      for (const turno of batch) {
        const contexto = contexts.peek(turno.contaId) ?? (await contextoDe(turno))
        if (contexto !== null) ready.push({ turn: turno, context: contexto })
      }
      return tentarLote(ready)
    },
    applyEventIn: async (tx, contaId, contatoId, evento) => {
      const contexto = await contexts.getIn(tx, contaId)
      const nada = (): void => {}
      const turno = { tipo: 'evento', key: '', contaId, contatoId, event: evento, resolve: nada, reject: nada } as const
      const { decisions } = await gravarLote(tx, [{ turn: turno, context: contexto, contatoId }], {
        count: true,
        silent: false,
      })
      tx.afterCommit(() => afterCommit(decisions))
    },
    contextChanged: esgotadas.forget,
    forgetAddress: forget,
  }
}
