import { euRoute } from '@balcao/contract/routes/auth'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

export const SEGURANCA_KEY = ['conta', 'seguranca'] as const

export const useSecondFactor = () =>
  useQuery({
    queryKey: [...SEGURANCA_KEY, 'fatores'],
    queryFn: async ({ signal }) => (await call(euRoute, { signal })).seguranca,
    networkMode: 'always',
  })
