import { euRoute } from '@balcao/contract/routes/auth'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

/** Queries about the access of the person. */
export const SEGURANCA_KEY = ['conta', 'seguranca'] as const

/** Second factors of the person. */
export const useSecondFactor = () =>
  useQuery({
    queryKey: [...SEGURANCA_KEY, 'fatores'],
    queryFn: async ({ signal }) => (await call(euRoute, { signal })).seguranca,
    networkMode: 'always',
  })
