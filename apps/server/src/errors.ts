import { ERROS, type CodigoErro } from '@balcao/contract/errors'

/** What a use case throws when a rule says no. Text and status come from the contract's catalogue. */
export class AppError extends Error {
  readonly codigo: CodigoErro
  /** Joins the answer's body, such as `usado`, `limite`, `resetEm` or `detalhes`. */
  readonly dados: Readonly<Record<string, unknown>>

  constructor(codigo: CodigoErro, dados: Readonly<Record<string, unknown>> = {}) {
    super(ERROS[codigo].erro)
    this.name = 'AppError'
    this.codigo = codigo
    this.dados = dados
  }

  get status(): number {
    return ERROS[this.codigo].status
  }
}
