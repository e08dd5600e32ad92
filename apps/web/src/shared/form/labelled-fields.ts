export type LabelledFields<Parte> = readonly {
  readonly campo: keyof Parte
  readonly rotulo: string
  readonly dica: string
}[]
