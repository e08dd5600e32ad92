/** Wake-ups between nodes. May lose events: every listener also polls. */
export interface Bus {
  readonly publish: (canal: string, dados: string) => void
  readonly subscribe: (canal: string, ouvinte: (dados: string) => void) => () => void
}
