import { ERROS, type ErrorCode } from '@balcao/contract/errors'

/** Error of a use case when a rule refuses. Text and HTTP status are in the contract. */
export class AppError extends Error {
  readonly codigo: ErrorCode
  /** Extra fields of the response body, such as `usado`, `limite`, `resetEm` or `detalhes`. */
  readonly dados: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, data: Readonly<Record<string, unknown>> = {}) {
    super(ERROS[code].erro)
    this.name = 'AppError'
    this.codigo = code
    this.dados = data
  }

  get status(): number {
    return ERROS[this.codigo].status
  }
}
