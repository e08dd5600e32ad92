import { ApiError, call } from '#shared/api-client.ts'
import { onEvento } from '#shared/socket.ts'
import { enviarSimuladaRoute, mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ClienteSimulado } from './clientes.ts'

const CONSULTA_MS = 2_000
const JUNTAR_EVENTOS_MS = 120

export interface Envio {
  readonly texto: string
  readonly deMim: boolean
  readonly grupo: boolean
}

/** A message on its way, or one that could not be delivered. */
export interface Pendente extends Envio {
  readonly id: string
  readonly erro: string | null
}

export interface ConversaSimulada {
  readonly mensagens: readonly MensagemSimulada[]
  readonly pendentes: readonly Pendente[]
  readonly carregando: boolean
  readonly erro: Error | null
  readonly recarregar: () => void
  readonly enviar: (envio: Envio) => void
  /** Tries a failed one again: the same id, so it can never be two messages. */
  readonly reenviar: (id: string) => void
}

/** One customer's chat with the bot: what the server has, and what is still on its way there. */
export function useConversa(cliente: ClienteSimulado, valido: boolean): ConversaSimulada {
  const cache = useQueryClient()
  const telefone = cliente.telefone
  const chave = ['simulador', 'mensagens', telefone.replace(/\D/g, '')]
  const [pendentes, setPendentes] = useState<readonly Pendente[]>([])
  const { data, isPending, error, refetch } = useQuery({
    queryKey: chave,
    enabled: valido,
    queryFn: async ({ signal }) => (await call(mensagensSimuladasRoute, { query: { telefone }, signal })).mensagens,
    // The socket tells at once; the look every two seconds is for when it does not.
    refetchInterval: CONSULTA_MS,
    retry: false,
  })

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

  const postar = async ({ id, texto, deMim, grupo }: Pendente): Promise<void> => {
    try {
      const opcoes = { ...(deMim ? { deMim } : {}), ...(grupo ? { grupo } : {}) }
      await call(enviarSimuladaRoute, { body: { ...cliente, texto, id, ...opcoes } })
      await cache.invalidateQueries({ queryKey: chave })
      setPendentes((atuais) => atuais.filter((pendente) => pendente.id !== id))
    } catch (erro) {
      const frase = erro instanceof ApiError ? erro.message : 'Erro ao enviar mensagem'
      setPendentes((atuais) => atuais.map((pendente) => (pendente.id === id ? { ...pendente, erro: frase } : pendente)))
    }
  }

  return {
    mensagens: data ?? [],
    pendentes: pendentes.filter(({ id }) => !(data ?? []).some((mensagem) => mensagem.id === id)),
    carregando: valido && isPending,
    erro: error,
    recarregar: () => void refetch(),
    enviar: (envio) => {
      const pendente: Pendente = { ...envio, id: crypto.randomUUID(), erro: null }
      setPendentes((atuais) => [...atuais, pendente])
      void postar(pendente)
    },
    reenviar: (id) => {
      const pendente = pendentes.find((item) => item.id === id)
      if (pendente === undefined) return
      setPendentes((atuais) => atuais.map((item) => (item.id === id ? { ...item, erro: null } : item)))
      void postar({ ...pendente, erro: null })
    },
  }
}
