import { ApiError } from '#shared/api-client.ts'

/** The settings were saved in another window after they were read here. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && ['conflito', 'versaoDesatualizada'].includes(error.codigo)
}
