import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { mayReadSetor, readerOf } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import {
  assumirConversaRoute,
  devolverConversaRoute,
  finalizarConversaRoute,
  transferirConversaRoute,
} from '@balcao/contract/routes/atendimento-conversa'
import {
  desfazerConversaRoute,
  reabrirConversaRoute,
  soltarConversaRoute,
} from '@balcao/contract/routes/atendimento-acts'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { type FinishChoice, finishBody, transferBody, UNDO_S } from '#features/atendimento/acoes/act-bodies.ts'
import { findNextOwn, opensNext } from '#features/atendimento/acoes/next-conversa.ts'
import { cacheOpened, useShowConversa } from '#features/atendimento/acoes/opened-conversa.ts'
import type { TransferDestination } from '#features/atendimento/acoes/transfer-dialog.tsx'
import { ApiError, call } from '#shared/api-client.ts'
import { type AvisoAction, notify } from '#shared/avisos.ts'
import { storeAnswer, storeConversas } from '#shared/data/conversas/known-conversas.ts'
import { useUsuario } from '#shared/session.tsx'
import { removeConversa } from '#features/atendimento/lista/conversa-cache.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'

/** Waits before each read after a lost answer. A short loss of the network ends within them. */
const READ_WAITS_MS = [0, 1_500, 4_000]

interface ChatAct {
  readonly conversa: Conversa
  readonly prefix: string
  readonly send: () => Promise<{ readonly conversa: Conversa }>
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

type RunChatAct = (act: ChatAct) => Promise<void>

/** Runs one act at a time and shows its error in a notice. Never rejects. */
function useRunAct(): { readonly busyId: string | null; readonly run: RunChatAct } {
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

export interface ChatActions {
  readonly busyId: string | null
  readonly take: (conversa: Conversa) => Promise<void>
  /** For the owner and administrators. */
  readonly takeFromColleague: (conversa: Conversa) => Promise<void>
  readonly finish: (conversa: Conversa, how: FinishChoice) => Promise<void>
  readonly returnToBot: (conversa: Conversa) => Promise<void>
  readonly transfer: (conversa: Conversa, destination: TransferDestination) => Promise<void>
  readonly release: (conversa: Conversa) => Promise<void>
  readonly reopen: (conversa: Conversa) => Promise<void>
}

const isServedBy =
  (usuarioId: string) =>
  ({ status, operadorId }: Conversa): boolean =>
    status === 'em_atendimento' && operadorId === usuarioId

const isFinished = ({ status }: Conversa): boolean => status === 'finalizada'

/** Returns a function that opens the next own conversa without an answer, unless the person switched that off. */
function useShowNext(): (finishedId: string) => void {
  const client = useQueryClient()
  const reader = readerOf(useUsuario())
  const show = useShowConversa()
  return (finishedId) => {
    const next = opensNext() ? findNextOwn(client, reader, finishedId) : undefined
    if (next !== undefined) show(next)
  }
}

/**
 * Actions on a whole conversa. Each shows its result in a notice and never rejects. `onLeave` closes the chat. With
 * `followed` the end of a conversa opens the next one.
 */
export function useChatActions(onLeave: () => void, followed = true): ChatActions {
  const client = useQueryClient()
  const isMine = isServedBy(useUsuario().id)
  const showNext = useShowNext()
  const { busyId, run } = useRunAct()
  const receive = (fresh: Conversa): void => storeConversas(client, [fresh])

  const undoOf = useUndo(run)

  const takeWith = (conversa: Conversa, body: { readonly deColega?: true }) =>
    run({
      ...{ conversa, prefix: 'Erro ao assumir conversa', took: isMine },
      send: () => call(assumirConversaRoute, { params: { id: conversa.id }, body }),
      done: (fresh) => {
        receive(fresh)
        notify.sucesso(`Você assumiu a conversa com ${fresh.cliente.nome}.`, undoOf(conversa))
      },
    })
  const take = (conversa: Conversa) => takeWith(conversa, {})
  const takeFromColleague = (conversa: Conversa) => takeWith(conversa, { deColega: true })

  const finish = (conversa: Conversa, how: FinishChoice) =>
    run({
      ...{ conversa, prefix: 'Erro ao finalizar conversa', took: isFinished },
      send: () => call(finalizarConversaRoute, { params: { id: conversa.id }, body: finishBody(how) }),
      done: ({ id }) => {
        removeConversa(client, id)
        notify.sucesso('Conversa finalizada com sucesso', { ...undoOf(conversa), durationMs: UNDO_S * 1_000 })
        if (followed) showNext(id)
      },
    })

  const returnToBot = (conversa: Conversa) =>
    run({
      ...{ conversa, prefix: 'Erro ao devolver conversa ao bot', took: isFinished },
      send: () => call(devolverConversaRoute, { params: { id: conversa.id } }),
      done: ({ id, cliente: { nome } }) => {
        removeConversa(client, id)
        notify.sucesso(`${nome} voltou a falar com o bot.`)
      },
    })

  const release = (conversa: Conversa) =>
    run({
      ...{ conversa, prefix: 'Erro ao devolver conversa à fila' },
      send: () => call(soltarConversaRoute, { params: { id: conversa.id } }),
      // The server may have given it to another person.
      took: ({ status, operadorId }) => status !== 'finalizada' && operadorId !== conversa.operadorId,
      done: (fresh) => {
        receive(fresh)
        notify.sucesso(`${fresh.cliente.nome} voltou para a fila.`, undoOf(conversa))
      },
    })

  const reopen = (conversa: Conversa) =>
    run({
      ...{ conversa, prefix: 'Erro ao reabrir conversa', took: isMine },
      send: () => call(reabrirConversaRoute, { params: { id: conversa.id } }),
      done: (fresh) => {
        cacheOpened(client, fresh)
        notify.sucesso('Conversa reaberta. Ela está com você.')
      },
    })

  const transfer = useTransfer({ run, receive, undoOf }, onLeave)
  return { busyId, take, takeFromColleague, finish, returnToBot, release, reopen, transfer }
}

type UndoOf = (before: Conversa) => { readonly action: AvisoAction }

/** The button of a notice that takes the act back and shows the conversa. `before`: as it was before the act. */
function useUndo(run: RunChatAct): UndoOf {
  const client = useQueryClient()
  const show = useShowConversa()
  return (before) => {
    const undo = (): void =>
      void run({
        ...{ conversa: before, prefix: 'Não foi desfeito' },
        send: () => call(desfazerConversaRoute, { params: { id: before.id } }),
        took: (now) =>
          now.status === before.status && now.setor === before.setor && now.operadorId === before.operadorId,
        done: (fresh) => {
          cacheOpened(client, fresh)
          show(fresh.id)
        },
      })
    return { action: { label: 'Desfazer', run: undo } }
  }
}

interface TransferTools {
  readonly run: RunChatAct
  readonly receive: (fresh: Conversa) => void
  readonly undoOf: UndoOf
}

function useTransfer({ run, receive, undoOf }: TransferTools, onLeave: () => void): ChatActions['transfer'] {
  const reader = readerOf(useUsuario())
  const client = useQueryClient()
  return (conversa, destination) => {
    const { setor, atendente } = destination
    const {
      id,
      setor: source,
      cliente: { nome },
    } = conversa
    const leaves = !mayReadSetor(reader, setor?.id ?? source)
    // Closed first, so that the event of the transfer finds no open chat to close with a notice.
    if (leaves) onLeave()
    const text = `${nome} foi para ${atendente === null ? `o setor ${setor?.nome ?? ''}` : atendente.nome}.`
    return run({
      ...{ conversa, prefix: 'Erro ao transferir conversa', leaves },
      send: () => call(transferirConversaRoute, { params: { id }, body: transferBody(destination) }),
      took: (now) => (atendente === null ? now.setor === setor?.id : now.operadorId === atendente.id),
      done: (fresh) => {
        if (leaves) removeConversa(client, id)
        else receive(fresh)
        notify.sucesso(text, undoOf(conversa))
      },
    })
  }
}
