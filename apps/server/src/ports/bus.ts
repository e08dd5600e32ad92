/** Wake-ups between nodes. May lose events: every listener also polls. */
export interface Bus {
  readonly publish: (channel: string, data: string) => void
  readonly subscribe: (channel: string, listener: (data: string) => void) => () => void
}
