/** The texts or switches of a part of the configuration, in the order they are shown, each with what a person reads of it. */
export type Descritos<Parte> = readonly {
  readonly campo: keyof Parte
  readonly rotulo: string
  /** When it is said, or what it does. */
  readonly dica: string
}[]
