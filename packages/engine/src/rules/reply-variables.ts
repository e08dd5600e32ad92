import { replacePlaceholders } from './placeholders.ts'

export interface ReplyVariables {
  /** Empty when the name of the customer is unknown. */
  readonly nome: string
  readonly protocolo: string
  readonly operador: string
  readonly empresa: string
  /** Name of the line of the conversa. */
  readonly linha: string
}

const VARIABLE = /(,? ?)\{(nome|protocolo|operador|empresa|linha)\}/g

/** Fills the variables of a quick reply, in one pass. An unknown name is removed with its comma. Other braces stay. */
export function fillReplyVariables(text: string, values: ReplyVariables): string {
  return replacePlaceholders(text, VARIABLE, (name) => {
    switch (name) {
      case 'nome':
        return values.nome.trim()
      case 'protocolo':
        return values.protocolo
      case 'operador':
        return values.operador
      case 'linha':
        return values.linha
      default:
        return values.empresa
    }
  })
}
