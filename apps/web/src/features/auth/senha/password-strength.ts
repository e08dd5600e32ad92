import { SENHA_MINIMO } from '@balcao/contract/constants'

export const PASSWORD_STRENGTHS = ['curta', 'fraca', 'razoável', 'boa', 'forte'] as const

/**
 * Index into the list of strengths. Length counts most, then variety; few distinct characters stay weak.
 * Only a hint: the server enforces just the minimum length.
 */
export function measurePassword(password: string): number {
  if (password.length < SENHA_MINIMO) return 0
  if (new Set(password).size < 5) return 1
  const types = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((tipo) => tipo.test(password)).length
  const points = [password.length > 8, password.length > 12, types > 1, types > 2].filter(Boolean).length
  return Math.min(4, 1 + points)
}
