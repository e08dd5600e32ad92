import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import { enviarSimuladaRoute, mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { midiaDoArquivo } from '#shared/midia/escolher.ts'
import { onEvento, useEstadoSocket } from '#shared/socket.ts'
import { type ClienteSimulado, digitos } from './clientes.ts'

/** Polling is only the fallback for missed socket events. */
const CONSULTA_ESPERANDO_MS = 2_000
const CONSULTA_TRANQUILA_MS = 15_000
const JUNTAR_EVENTOS_MS = 120

export interface Envio {
  readonly texto: string
  /** Typed by the dono on the company's phone. */
  readonly deMim: boolean
  readonly grupo: boolean
  readonly arquivo: File | null
}

export interface Falha {
  readonly frase: string
  /** The bot must be started or connected first. */
  readonly foraDoAr: boolean
}

export interface Pendente extends Envio {
  readonly id: string
  readonly cliente: ClienteSimulado
  readonly midia: Midia | undefined
  readonly falha: Falha | null
}

export interface ConversaSimulada {
  readonly mensagens: readonly MensagemSimulada[]
  readonly pendentes: readonly Pendente[]
  readonly carregando: boolean
  readonly erro: Error | null
  readonly recarregar: () => void
  readonly enviar: (envio: Envio) => void
  /** Retries with the same id, so the server stores it once. */
  readonly reenviar: (id: string) => void
}

const chaveDe = ({ telefone }: ClienteSimulado) => ['simulador', 'mensagens', digitos(telefone)]

function lerFalha(erro: unknown): Falha {
  if (!(erro instanceof ApiError)) return { frase: 'Erro ao enviar mensagem', foraDoAr: false }
  return { frase: erro.message, foraDoAr: erro.codigo === 'botDesconectado' || erro.codigo === 'conectorDiferente' }
}

function postar({ id, cliente, texto, deMim, grupo, arquivo }: Pendente) {
  const body = { ...cliente, texto, id, ...(deMim ? { deMim } : {}), ...(grupo ? { grupo } : {}) }
  if (arquivo === null) return call(enviarSimuladaRoute, { body })
  const form = new FormData()
  for (const [nome, valor] of Object.entries(body)) form.append(nome, String(valor))
  form.append('arquivo', arquivo)
  return call(enviarSimuladaRoute, { body, form })
}

function useLeituraPorEventos(): void {
  const cache = useQueryClient()
  useEffect(() => {
    let espera: ReturnType<typeof setTimeout> | undefined
    const parar = onEvento(({ evento }) => {
      if (evento !== 'botMensagem' && evento !== 'mensagemConversaHumana') return
      espera ??= setTimeout(() => {
        espera = undefined
        void cache.invalidateQueries({ queryKey: ['simulador', 'mensagens'] })
      }, JUNTAR_EVENTOS_MS)
    })
    return () => {
      parar()
      clearTimeout(espera)
    }
  }, [cache])
}

export function useConversa(cliente: ClienteSimulado, valido: boolean): ConversaSimulada {
  const cache = useQueryClient()
  const online = useEstadoSocket().tipo === 'online'
  const [pendentes, setPendentes] = useState<readonly Pendente[]>([])
  const fila = useRef(Promise.resolve())
  useLeituraPorEventos()
  const { data, isPending, error, refetch } = useQuery({
    queryKey: chaveDe(cliente),
    enabled: valido,
    queryFn: async ({ signal }) =>
      (await call(mensagensSimuladasRoute, { query: { telefone: cliente.telefone }, signal })).mensagens,
    refetchInterval: ({ state }) =>
      online && state.data?.at(-1)?.de !== 'cliente' ? CONSULTA_TRANQUILA_MS : CONSULTA_ESPERANDO_MS,
    retry: false,
  })

  const mandar = async (pendente: Pendente): Promise<void> => {
    try {
      await postar(pendente)
      await cache.invalidateQueries({ queryKey: chaveDe(pendente.cliente) })
      setPendentes((atuais) => atuais.filter(({ id }) => id !== pendente.id))
      if (pendente.midia?.url !== undefined) URL.revokeObjectURL(pendente.midia.url)
      if (pendente.grupo) avisar.info('O grupo recebeu. O bot não responde em grupos.')
    } catch (erro) {
      const falha = lerFalha(erro)
      setPendentes((atuais) => atuais.map((item) => (item.id === pendente.id ? { ...item, falha } : item)))
    }
  }
  // Requests run in sequence, to keep the typed order.
  const enfileirar = (pendente: Pendente): void => {
    fila.current = fila.current.then(() => mandar(pendente))
  }

  const mensagens = data ?? []
  const chegaram = new Set(mensagens.map(({ id }) => id))
  return {
    mensagens,
    pendentes: pendentes.filter(
      (pendente) => !chegaram.has(pendente.id) && digitos(pendente.cliente.telefone) === digitos(cliente.telefone),
    ),
    carregando: valido && isPending,
    erro: error,
    recarregar: () => void refetch(),
    enviar: (envio) => {
      const id = crypto.randomUUID()
      const midia = envio.arquivo === null ? undefined : midiaDoArquivo(envio.arquivo)
      const pendente: Pendente = { ...envio, id, cliente, midia, falha: null }
      setPendentes((atuais) => [...atuais, pendente])
      enfileirar(pendente)
    },
    reenviar: (id) => {
      const pendente = pendentes.find((item) => item.id === id)
      if (pendente === undefined) return
      setPendentes((atuais) => atuais.map((item) => (item.id === id ? { ...item, falha: null } : item)))
      enfileirar({ ...pendente, falha: null })
    },
  }
}
