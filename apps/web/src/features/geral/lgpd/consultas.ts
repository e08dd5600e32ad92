import type { ExportacaoDoTitular, PrivacidadeEdicao } from '@balcao/contract/entities/lgpd'
import {
  apagarTitularRoute,
  exportarTitularRoute,
  privacidadeRoute,
  registroOperacoesRoute,
  salvarPrivacidadeRoute,
  titularRoute,
} from '@balcao/contract/routes/lgpd'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

/** Customer data leaves the cache with the page (`gcTime: 0`). */

const PRIVACIDADE = ['lgpd', 'privacidade']
const REGISTRO = ['lgpd', 'registro']
/** Timeout for export and erasure: one customer can have years of mensagens. */
const DEMORA_MS = 60_000

export function usePrivacidade() {
  return useQuery({
    queryKey: PRIVACIDADE,
    queryFn: async ({ signal }) => (await call(privacidadeRoute, { signal })).privacidade,
  })
}

export function useSalvarPrivacidade() {
  const cliente = useQueryClient()
  return useMutation({
    mutationFn: async (mudada: PrivacidadeEdicao) => (await call(salvarPrivacidadeRoute, { body: mudada })).privacidade,
    onSuccess: async (salva) => {
      cliente.setQueryData(PRIVACIDADE, salva)
      await cliente.invalidateQueries({ queryKey: REGISTRO })
    },
  })
}

export function useRegistro() {
  return useQuery({ queryKey: REGISTRO, queryFn: ({ signal }) => call(registroOperacoesRoute, { signal }) })
}

export function useTitular(telefone: string) {
  return useQuery({
    queryKey: ['lgpd', 'titular', telefone],
    queryFn: async ({ signal }) => (await call(titularRoute, { params: { telefone }, signal })).titular,
    enabled: telefone !== '',
    retry: false,
    gcTime: 0,
    staleTime: 0,
  })
}

export function exportarTitular(telefone: string): Promise<ExportacaoDoTitular> {
  return call(exportarTitularRoute, { params: { telefone }, timeoutMs: DEMORA_MS })
}

/** Any cached list may contain the customer, so all are refetched. */
export function useApagarTitular() {
  const cliente = useQueryClient()
  return useMutation({
    mutationFn: (telefone: string) => call(apagarTitularRoute, { params: { telefone }, timeoutMs: DEMORA_MS }),
    onSuccess: () => void cliente.invalidateQueries(),
  })
}
