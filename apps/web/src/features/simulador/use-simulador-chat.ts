import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import { enviarSimuladaRoute, mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { midiaFromFile } from '#shared/media/file-choice.ts'
import { onSocketEvent, useSocketState } from '#shared/realtime/socket.ts'
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
  /** The bot must be started or connected first. */
  readonly botOffline: boolean
}

export interface SimuladorPending extends SimuladorSend {
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
  readonly send: (envio: SimuladorSend) => void
  /** Retries with the same id, so the server stores it once. */
  readonly resend: (id: string) => void
}

const chatKey = ({ telefone }: SimuladorCustomer) => ['simulador', 'mensagens', digitsOf(telefone)]

function failureOf(erro: unknown): SimuladorFailure {
  if (!(erro instanceof ApiError)) return { sentence: 'Erro ao enviar mensagem', botOffline: false }
  return {
    sentence: erro.message,
    botOffline: erro.codigo === 'botDesconectado' || erro.codigo === 'conectorDiferente',
  }
}

function postMensagem({ id, cliente, texto, deMim, grupo, arquivo }: SimuladorPending) {
  const body = { ...cliente, texto, id, ...(deMim ? { deMim } : {}), ...(grupo ? { grupo } : {}) }
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

export function useSimuladorChat(customer: SimuladorCustomer, valid: boolean): SimuladorChatState {
  const cache = useQueryClient()
  const online = useSocketState().tipo === 'online'
  const [pendentes, setPendentes] = useState<readonly SimuladorPending[]>([])
  const queue = useRef(Promise.resolve())
  useRefetchOnEvents()
  const { data, isPending, error, refetch } = useQuery({
    queryKey: chatKey(customer),
    enabled: valid,
    queryFn: async ({ signal }) =>
      (await call(mensagensSimuladasRoute, { query: { telefone: customer.telefone }, signal })).mensagens,
    refetchInterval: ({ state }) => (online && state.data?.at(-1)?.de !== 'cliente' ? POLL_IDLE_MS : POLL_WAITING_MS),
    retry: false,
  })

  const mandar = async (pendente: SimuladorPending): Promise<void> => {
    try {
      await postMensagem(pendente)
      await cache.invalidateQueries({ queryKey: chatKey(pendente.cliente) })
      setPendentes((atuais) => atuais.filter(({ id }) => id !== pendente.id))
      if (pendente.midia?.url !== undefined) URL.revokeObjectURL(pendente.midia.url)
      if (pendente.grupo) notify.info('O grupo recebeu. O bot não responde em grupos.')
    } catch (erro) {
      const falha = failureOf(erro)
      setPendentes((atuais) => atuais.map((item) => (item.id === pendente.id ? { ...item, failure: falha } : item)))
    }
  }
  // Requests run in sequence, to keep the typed order.
  const enqueue = (pendente: SimuladorPending): void => {
    queue.current = queue.current.then(() => mandar(pendente))
  }

  const mensagens = data ?? []
  const arrived = new Set(mensagens.map(({ id }) => id))
  return {
    mensagens,
    pending: pendentes.filter(
      (pendente) => !arrived.has(pendente.id) && digitsOf(pendente.cliente.telefone) === digitsOf(customer.telefone),
    ),
    loading: valid && isPending,
    error: error,
    reload: () => void refetch(),
    send: (envio) => {
      const id = crypto.randomUUID()
      const midia = envio.arquivo === null ? undefined : midiaFromFile(envio.arquivo)
      const pendente: SimuladorPending = { ...envio, id, cliente: customer, midia, failure: null }
      setPendentes((atuais) => [...atuais, pendente])
      enqueue(pendente)
    },
    resend: (id) => {
      const pendente = pendentes.find((item) => item.id === id)
      if (pendente === undefined) return
      setPendentes((atuais) => atuais.map((item) => (item.id === id ? { ...item, failure: null } : item)))
      enqueue({ ...pendente, failure: null })
    },
  }
}
