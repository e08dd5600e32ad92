/** What may happen to a customer's conversation. Time, ids and chance arrive inside; instants in ms since 1970. */

export interface Contato {
  /** May be empty. */
  readonly nome: string
  readonly telefone: string
}

export type TipoMidia = 'imagem' | 'audio' | 'video' | 'documento' | 'figurinha' | 'localizacao' | 'contato' | 'outro'

interface Base {
  readonly agora: number
  readonly contato: Contato
  /** Number for a human conversation, should this step open one: see `abrirConversaHumana`. */
  readonly protocolo?: string
}

/** The customer wrote. `texto` is empty for media without a caption. */
export interface MensagemCliente extends Base {
  readonly tipo: 'mensagemCliente'
  /** Names the message, and the question to the AI that it may become. */
  readonly id: string
  readonly texto: string
  readonly midia?: TipoMidia
  /** When it was sent; older than 10 minutes is a backlog. */
  readonly enviadaEm: number
}

/** The owner wrote to the customer from the phone. */
export interface MensagemDoTelefone extends Base {
  readonly tipo: 'mensagemDoTelefone'
  /** When it was written: what comes with a backlog took the conversation over then, and not now. Absent: now. */
  readonly escritaEm?: number
}

/** The customer called, and nobody took it. */
export interface LigacaoPerdida extends Base {
  readonly tipo: 'ligacaoPerdida'
  readonly ligouEm: number
}

export type ResultadoIa =
  | { readonly tipo: 'texto'; readonly texto: string }
  | { readonly tipo: 'transferir'; readonly setor: string }
  | { readonly tipo: 'falha'; readonly motivo: string }

/** The AI answered, or failed to. */
export interface RespostaIa extends Base {
  readonly tipo: 'respostaIa'
  readonly perguntaId: string
  readonly resultado: ResultadoIa
}

/** A person of the business acted in the panel. */
export interface AcaoAtendente extends Base {
  readonly tipo: 'atendenteAssumiu' | 'devolvidaAoBot' | 'atendenteFinalizou'
}

export interface AtendenteTransferiu extends Base {
  readonly tipo: 'atendenteTransferiu'
  readonly setor: string
}

/** Somebody of the business rehearses the rating with this contact: the question alone, no goodbye (decisions §5). */
export interface AvaliacaoSimulada extends Base {
  readonly tipo: 'avaliacaoSimulada'
}

/** The time to rate may be over. */
export interface TempoAvaliacao extends Base {
  readonly tipo: 'tempoAvaliacao'
}

export type BotEvent =
  | MensagemCliente
  | MensagemDoTelefone
  | LigacaoPerdida
  | RespostaIa
  | AcaoAtendente
  | AtendenteTransferiu
  | AvaliacaoSimulada
  | TempoAvaliacao
