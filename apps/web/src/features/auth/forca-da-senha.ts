import { SENHA_MINIMO } from '@balcao/contract/constants'

export const PASSWORD_STRENGTHS = ['curta', 'fraca', 'razoável', 'boa', 'forte'] as const

/**
 * Index into the list of strengths. Length counts most, then variety; few distinct characters stay weak.
 * Only a hint: the server enforces just the minimum length.
 */
export function measurePassword(senha: string): number {
  if (senha.length < SENHA_MINIMO) return 0
  if (new Set(senha).size < 5) return 1
  const tipos = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((tipo) => tipo.test(senha)).length
  const pontos = [senha.length > 8, senha.length > 12, tipos > 1, tipos > 2].filter(Boolean).length
  return Math.min(4, 1 + pontos)
}
