import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { storeAnswer } from '#shared/data/conversas/requests.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useShowConversa } from './opened-conversa.ts'

/** Waits before each read after a lost answer. A short loss of the network ends within them. */
const READ_WAITS_MS = [0, 1_500, 4_000]

interface ChatAct {
  /** The conversa before the act. */
  readonly conversa: Conversa
  /** Begins the sentence of an error. */
  readonly prefix: string
  readonly send: () => Promise<{ readonly conversa: Conversa }>
  /** Shows the result. Runs once. */
  readonly done: (fresh: Conversa) => void
  /** Whether the conversa, read after a lost answer, shows this act. */
  readonly took: (now: Conversa) => boolean
  /** The act closes the conversa to this person, so 404 shows that it took effect. */
  readonly leaves?: boolean
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The conversa as the server has it. Null: closed to this person. Undefined: still no connection. */
async function readAgain(id: string): Promise<Conversa | null | undefined> {
  for (const ms of READ_WAITS_MS) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each read waits for the previous one
      await wait(ms)
      // oxlint-disable-next-line no-await-in-loop -- each read waits for the previous one
      return (await call(conversaHumanaRoute, { params: { id } })).conversa
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
    }
  }
  return undefined
}

/** The server may have stored an act whose answer was lost. Returns the sentence of the error, or null if it did. */
async function settleLost({ conversa, took, leaves = false, done }: ChatAct): Promise<string | null> {
  const now = await readAgain(conversa.id)
  if (now === undefined) return 'A conexão falhou. Confira a conversa antes de tentar de novo.'
  if (now === null ? !leaves : !took(now)) return 'A conexão falhou e nada mudou. Tente de novo.'
  done(now ?? conversa)
  return null
}

export type RunChatAct = (act: ChatAct) => Promise<void>

/** Runs one act at a time and shows its error in a notice. Never rejects. */
export function useRunAct(): { readonly busyId: string | null; readonly run: RunChatAct } {
  const client = useQueryClient()
  const show = useShowConversa()
  const [busyId, setBusyId] = useState<string | null>(null)
  const explain = async (act: ChatAct, error: unknown): Promise<void> => {
    const { codigo, dados, status } = error instanceof ApiError ? error : { codigo: '', dados: {}, status: -1 }
    const { operador, conversaId } = dados
    const sentence = status === 0 ? await settleLost(act) : errorMessage(error)
    if (sentence === null) return
    const open = conversaId === undefined ? {} : { action: { label: 'Ver conversa', run: () => show(conversaId) } }
    notify.erro(
      codigo === 'conversaAssumida' && operador !== undefined
        ? `Esta conversa já foi assumida por ${operador}.`
        : `${act.prefix}: ${sentence}`,
      open,
    )
    // Another operador was faster, the conversa is finished or an answer was lost: the list may be outdated.
    if ([0, 404, 409].includes(status)) void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  }
  const run: RunChatAct = async (act) => {
    setBusyId(act.conversa.id)
    try {
      await storeAnswer(act.send, ({ conversa }) => act.done(conversa))
    } catch (error) {
      await explain(act, error)
    } finally {
      setBusyId(null)
    }
  }
  return { busyId, run }
}
