/** The only source of time. Tests pass one they can move. */
export interface Clock {
  readonly now: () => Date
}
