import { SENHA_MINIMO } from '@balcao/contract/constants'

export interface ForcaDaSenha {
  /** 0 too short to say, 1 to 4 from weak to strong. */
  readonly nivel: 0 | 1 | 2 | 3 | 4
  readonly nome: string
}

const FORCAS = [
  { nivel: 1, nome: 'fraca' },
  { nivel: 2, nome: 'razoável' },
  { nivel: 3, nome: 'boa' },
  { nivel: 4, nome: 'forte' },
] as const

/** A hint, never a rule: only the minimum length is enforced. Length counts most, then variety; repetition counts against. */
export function measureSenha(senha: string): ForcaDaSenha {
  if (senha.length < SENHA_MINIMO) return { nivel: 0, nome: 'curta' }
  const tipos = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((tipo) => tipo.test(senha)).length
  const distintos = new Set(senha.toLowerCase()).size
  const pontos = Number(senha.length >= 9) + Number(senha.length >= 13) + Number(tipos >= 2) + Number(tipos >= 3)
  const teto = distintos < 5 ? 0 : 3
  return FORCAS[Math.min(pontos, teto)] ?? FORCAS[0]
}
