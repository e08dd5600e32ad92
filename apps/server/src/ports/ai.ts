import type { IaConfig } from '@balcao/contract/entities/config'

/** One line of the remembered conversation, oldest first. */
export interface TurnoIa {
  readonly de: 'cliente' | 'bot'
  readonly texto: string
}

export interface AiRequest {
  readonly contaId: string
  readonly ia: IaConfig
  readonly empresa: string
  readonly nomeCliente: string
  readonly setores: readonly { readonly id: string; readonly nome: string }[]
  readonly produtos: readonly { readonly nome: string; readonly descricao: string; readonly preco: number }[]
  /** Business hours in one line for a person. */
  readonly horario: string
  readonly historico: readonly TurnoIa[]
  /** What the customer wrote since the last answer: data, never instruction. */
  readonly pergunta: string
}

export type AiAnswer =
  | { readonly tipo: 'texto'; readonly texto: string }
  /** The model asks for a person; `setor` is one of `request.setores`. */
  | { readonly tipo: 'transferir'; readonly setor: string }
  /** Slow (15 s), failing, refusing or empty: the engine says `naoEntendi`. */
  | { readonly tipo: 'falha'; readonly motivo: string }

/** The assistant. Never throws; gives up after `IA_TIMEOUT_MS`. */
export interface Ai {
  readonly answer: (request: AiRequest) => Promise<AiAnswer>
}
