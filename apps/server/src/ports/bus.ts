/** Wake-ups between nodes. Losing one loses nothing: every listener also looks on a timer. */
export interface Bus {
  readonly publish: (canal: string, dados: string) => void
  readonly subscribe: (canal: string, ouvinte: (dados: string) => void) => () => void
}
