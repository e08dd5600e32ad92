/** Parts of this node that must work before it takes traffic. */
export interface Readiness {
  readonly banco: boolean
  readonly chave: boolean
  readonly disco: boolean
  readonly bots: boolean
}
