import { passkeysRoute } from '@balcao/contract/routes/segundo-fator'
import { segurancaContaRoute, sessoesRoute } from '@balcao/contract/routes/sessoes'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { SEGURANCA_KEY } from '#shared/identity/use-second-factor.ts'

const RULES_KEY = [...SEGURANCA_KEY, 'regras'] as const

export const usePasskeys = () =>
  useQuery({
    queryKey: [...SEGURANCA_KEY, 'passkeys'],
    queryFn: async ({ signal }) => (await call(passkeysRoute, { signal })).passkeys,
    networkMode: 'always',
  })

export const useSessions = () =>
  useQuery({
    queryKey: [...SEGURANCA_KEY, 'sessoes'],
    queryFn: async ({ signal }) => (await call(sessoesRoute, { signal })).sessoes,
    networkMode: 'always',
  })

export const useRules = () =>
  useQuery({
    queryKey: RULES_KEY,
    queryFn: ({ signal }) => call(segurancaContaRoute, { signal }),
    networkMode: 'always',
  })

export function useSegurancaAct<T>(act: (input: T) => Promise<unknown>, done: string) {
  const client = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: act,
    onSuccess: () => notify.sucesso(done),
    onError: (error) => notify.erro(error.message),
    onSettled: () => client.invalidateQueries({ queryKey: SEGURANCA_KEY }),
  })
}

export function useRefetchSeguranca(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: SEGURANCA_KEY })
}
