import type { Privacidade, PrivacidadePatch, TitularExport } from '@balcao/contract/entities/lgpd'
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

const PRIVACIDADE_KEY = ['lgpd', 'privacidade']
const REGISTRO_KEY = ['lgpd', 'registro']
/** Timeout for export and erasure: one customer can have years of mensagens. */
const SLOW_REQUEST_MS = 60_000

export function usePrivacidade() {
  return useQuery({
    queryKey: PRIVACIDADE_KEY,
    queryFn: async ({ signal }) => (await call(privacidadeRoute, { signal })).privacidade,
  })
}

export function useSavePrivacidade(): (changed: PrivacidadePatch) => Promise<Privacidade> {
  const client = useQueryClient()
  return async (changed) => {
    const { privacidade } = await call(salvarPrivacidadeRoute, { body: changed })
    client.setQueryData(PRIVACIDADE_KEY, privacidade)
    await client.invalidateQueries({ queryKey: REGISTRO_KEY })
    return privacidade
  }
}

export function useRegistro() {
  return useQuery({ queryKey: REGISTRO_KEY, queryFn: ({ signal }) => call(registroOperacoesRoute, { signal }) })
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

/** Joins all pages. Throws if one of them fails: an export is complete or absent. */
export async function fetchTitularExport(telefone: string): Promise<TitularExport> {
  const fetchPage = (cursor?: string) =>
    call(exportarTitularRoute, {
      params: { telefone },
      query: cursor === undefined ? {} : { cursor },
      timeoutMs: SLOW_REQUEST_MS,
    })
  let { proximoCursor, ...whole } = await fetchPage()
  while (proximoCursor !== undefined) {
    const page = await fetchPage(proximoCursor)
    whole.mensagens.push(...page.mensagens)
    whole.midias.push(...page.midias)
    whole.respostasIa.push(...page.respostasIa)
    proximoCursor = page.proximoCursor
  }
  return whole
}

/** Any cached list may contain the customer, so all are refetched. */
export function useEraseTitular() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (telefone: string) => call(apagarTitularRoute, { params: { telefone }, timeoutMs: SLOW_REQUEST_MS }),
    onSuccess: () => void client.invalidateQueries(),
  })
}
