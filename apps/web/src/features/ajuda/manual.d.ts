declare module 'virtual:manual' {
  import type { Tema } from '#features/ajuda/tema.ts'

  /** Made at build time from `docs/manual`: see `scripts/manual.ts`. */
  export const TEMAS: readonly Tema[]
}
