import type { Biblioteca } from './biblioteca.ts'
import type { Perfis } from './perfis.ts'
import type { Vagas } from './vagas.ts'
import type { Vezes } from './vezes.ts'

export interface TemposNavegador {
  readonly esperas?: (tentativa: number) => number
  readonly carregarMs?: number
  readonly envioMs?: number
  readonly vigiaMs?: number
  readonly qrMs?: number
  readonly livre?: boolean
}

export interface SessaoOptions extends TemposNavegador {
  readonly permitidos: readonly string[]
  readonly perfis: Perfis
  readonly vagas: Vagas
  readonly vezes: Vezes
  readonly carregar: () => Promise<Biblioteca>
  readonly memoriaMaxima?: number
  readonly registrar: (erro: unknown, oQue: string) => void
}

export const PADRAO = {
  carregarMs: 2 * 60_000,
  envioMs: 60_000,
  vigiaMs: 30_000,
  memoriaMaxima: 1_200 * 2 ** 20,
} as const
