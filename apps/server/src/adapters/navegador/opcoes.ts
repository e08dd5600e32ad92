import type { Biblioteca } from './biblioteca.ts'
import type { Perfis } from './perfis.ts'
import type { Vagas } from './vagas.ts'
import type { Vezes } from './vezes.ts'

/** Tests shorten these; everybody else leaves them alone. */
export interface TemposNavegador {
  /** Waits before the n-th attempt to come back, in ms. */
  readonly esperas?: (tentativa: number) => number
  /** How long the page may take to load. */
  readonly carregarMs?: number
  /** How long the service may take to confirm a message. */
  readonly envioMs?: number
  /** How often the page is asked whether it lives. */
  readonly vigiaMs?: number
  /** How long a code is good for. */
  readonly qrMs?: number
  /** Without a person's pace. */
  readonly livre?: boolean
}

export interface SessaoOptions extends TemposNavegador {
  readonly permitidos: readonly string[]
  readonly perfis: Perfis
  readonly vagas: Vagas
  readonly vezes: Vezes
  readonly carregar: () => Promise<Biblioteca>
  /** In bytes; a browser that takes more is opened anew. */
  readonly memoriaMaxima?: number
  readonly registrar: (erro: unknown, oQue: string) => void
}

/** What holds where nobody says otherwise. */
export const PADRAO = {
  carregarMs: 2 * 60_000,
  envioMs: 60_000,
  vigiaMs: 30_000,
  memoriaMaxima: 1_200 * 2 ** 20,
} as const
