import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import { enviarSimuladaRoute, mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { isSameFile, keepAddress } from '#shared/media/file-address.ts'
import { midiaFromFile } from '#shared/media/file-choice.ts'
import type { RefreshFile } from '#shared/media/refresh-file.ts'
import { onSocketEvent, useSocketState } from '#shared/realtime/socket.ts'
import type { SimulatedLine } from './simulated-line.ts'
import { type SimuladorCustomer, digitsOf } from './simulated-customers.ts'

/** Polling is only the fallback for missed socket events. */
const POLL_WAITING_MS = 2_000
const POLL_IDLE_MS = 15_000
const EVENT_BATCH_MS = 120

export interface SimuladorSend {
  readonly texto: string
  /** Typed by the dono on the company's phone. */
  readonly deMim: boolean
  readonly grupo: boolean
  readonly arquivo: File | null
}

export interface SimuladorFailure {
  readonly sentence: string
  readonly botOffline: boolean
}

export interface SimuladorPending extends SimuladorSend {
  readonly line: SimulatedLine
  readonly id: string
  readonly cliente: SimuladorCustomer
  readonly midia: Midia | undefined
  readonly failure: SimuladorFailure | null
}

export interface SimuladorChatState {
  readonly mensagens: readonly MensagemSimulada[]
  readonly pending: readonly SimuladorPending[]
  readonly loading: boolean
  readonly error: Error | null
  readonly reload: () => void
  readonly refreshFile: RefreshFile
  readonly send: (message: SimuladorSend) => void
  /** Retries with the same id, so the server stores it once. */
  readonly resend: (id: string) => void
}

const chatKey = ({ telefone }: SimuladorCustomer, { linhaId = '' }: SimulatedLine) => [
  'simulador',
  'mensagens',
  linhaId,
  digitsOf(telefone),
]

function failureOf(error: unknown): SimuladorFailure {
  if (!(error instanceof ApiError)) return { sentence: 'Erro ao enviar mensagem', botOffline: false }
  return {
    sentence: error.message,
    botOffline: error.codigo === 'botDesconectado' || error.codigo === 'conectorDiferente',
  }
}

function postMensagem({ id, cliente, line, texto, deMim, grupo, arquivo }: SimuladorPending) {
  const body = { ...line, ...cliente, texto, id, ...(deMim ? { deMim } : {}), ...(grupo ? { grupo } : {}) }
  if (arquivo === null) return call(enviarSimuladaRoute, { body })
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.append(name, String(value))
  form.append('arquivo', arquivo)
  return call(enviarSimuladaRoute, { body, form })
}

function useRefetchOnEvents(): void {
  const cache = useQueryClient()
  useEffect(() => {
    let wait: ReturnType<typeof setTimeout> | undefined
    const stop = onSocketEvent(({ evento }) => {
      if (evento !== 'botMensagem' && evento !== 'mensagemConversaHumana') return
      wait ??= setTimeout(() => {
        wait = undefined
        void cache.invalidateQueries({ queryKey: ['simulador', 'mensagens'] })
      }, EVENT_BATCH_MS)
    })
    return () => {
      stop()
      clearTimeout(wait)
    }
  }, [cache])
}

/** The messages of the customer. A picture keeps its address until it expires, or the browser would load it again. */
function useMensagens(customer: SimuladorCustomer, line: SimulatedLine, valid: boolean) {
  const cache = useQueryClient()
  const online = useSocketState().tipo === 'online'
  /** Refused addresses. The clock of the device may be wrong, so they are replaced before they expire. */
  const failedUrls = useRef(new Set<string>())
  const query = useQuery({
    queryKey: chatKey(customer, line),
    enabled: valid,
    queryFn: async ({ signal }) => {
      const { mensagens } = await call(mensagensSimuladasRoute, {
        query: { ...line, telefone: customer.telefone },
        signal,
      })
      const held = cache.getQueryData<readonly MensagemSimulada[]>(chatKey(customer, line)) ?? []
      const known = new Map(held.map((mensagem) => [mensagem.id, mensagem]))
      return mensagens.map((fresh) => {
        const other = known.get(fresh.id)
        return failedUrls.current.has(other?.midia?.url ?? '') ? fresh : keepAddress(other, fresh)
      })
    },
    refetchInterval: ({ state }) => (online && state.data?.at(-1)?.de !== 'cliente' ? POLL_IDLE_MS : POLL_WAITING_MS),
    retry: false,
  })

  const { refetch } = query
  const refreshFile = useCallback<RefreshFile>(
    async (url) => {
      failedUrls.current.add(url)
      return (await refetch({ throwOnError: true })).data?.find(({ midia }) => isSameFile(midia?.url, url))?.midia?.url
    },
    [refetch],
  )
  return { ...query, refreshFile }
}

export function useSimuladorChat(customer: SimuladorCustomer, line: SimulatedLine, valid: boolean): SimuladorChatState {
  const cache = useQueryClient()
  const [pendingList, setPendingList] = useState<readonly SimuladorPending[]>([])
  const queue = useRef(Promise.resolve())
  useRefetchOnEvents()
  const { data, isPending, error, refetch, refreshFile } = useMensagens(customer, line, valid)

  const post = async (pending: SimuladorPending): Promise<void> => {
    try {
      await postMensagem(pending)
      await cache.invalidateQueries({ queryKey: chatKey(pending.cliente, pending.line) })
      setPendingList((current) => current.filter(({ id }) => id !== pending.id))
      if (pending.midia?.url !== undefined) URL.revokeObjectURL(pending.midia.url)
      if (pending.grupo) notify.info('O grupo recebeu. O bot não responde em grupos.')
    } catch (error) {
      const failure = failureOf(error)
      setPendingList((current) => current.map((item) => (item.id === pending.id ? { ...item, failure } : item)))
    }
  }
  const enqueue = (pending: SimuladorPending): void => {
    queue.current = queue.current.then(() => post(pending))
  }

  const mensagens = data ?? []
  const arrived = new Set(mensagens.map(({ id }) => id))
  return {
    mensagens,
    pending: pendingList.filter(
      (message) =>
        !arrived.has(message.id) &&
        message.line.linhaId === line.linhaId &&
        digitsOf(message.cliente.telefone) === digitsOf(customer.telefone),
    ),
    loading: valid && isPending,
    error,
    reload: () => void refetch(),
    refreshFile,
    send: (message) => {
      const id = crypto.randomUUID()
      const midia = message.arquivo === null ? undefined : midiaFromFile(message.arquivo)
      const pending: SimuladorPending = { ...message, id, line, cliente: customer, midia, failure: null }
      setPendingList((current) => [...current, pending])
      enqueue(pending)
    },
    resend: (id) => {
      const pending = pendingList.find((item) => item.id === id)
      if (pending === undefined) return
      setPendingList((current) => current.map((item) => (item.id === id ? { ...item, failure: null } : item)))
      enqueue({ ...pending, failure: null })
    },
  }
}
