import { SENHA_MINIMO } from '@balcao/contract/constants'

export const FORCAS = ['curta', 'fraca', 'razoável', 'boa', 'forte'] as const

/**
 * How strong a password looks, as an index of `FORCAS`. A hint, never a rule: only the minimum length is enforced. Length counts most,
 * then variety; a password made of few characters stays weak.
 */
export function measureSenha(senha: string): number {
  if (senha.length < SENHA_MINIMO) return 0
  if (new Set(senha).size < 5) return 1
  const tipos = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((tipo) => tipo.test(senha)).length
  const pontos = [senha.length > 8, senha.length > 12, tipos > 1, tipos > 2].filter(Boolean).length
  return Math.min(4, 1 + pontos)
}
