declare module 'virtual:manual' {
  import type { Tema } from '#features/ajuda/tema.ts'

  /** Built by `scripts/manual.ts`. */
  export const TEMAS: readonly Tema[]
}
