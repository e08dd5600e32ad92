/** Events of a customer's conversation. Time and ids come with the event; instants are in ms since 1970. */

export interface Contato {
  /** May be empty. */
  readonly nome: string
  readonly telefone: string
}

export type TipoMidia = 'imagem' | 'audio' | 'video' | 'documento' | 'figurinha' | 'localizacao' | 'contato' | 'outro'

interface Base {
  readonly agora: number
  readonly contato: Contato
  /** Number for a conversa with people, used if this step opens one. See `abrirConversaHumana`. */
  readonly protocolo?: string
}

/** A message of the customer. `texto` is empty for media without a caption. */
export interface MensagemCliente extends Base {
  readonly tipo: 'mensagemCliente'
  /** Id of the message, and of the question to the AI if it becomes one. */
  readonly id: string
  readonly texto: string
  readonly midia?: TipoMidia
  /** Instant of sending. More than 10 minutes before `agora` means an old message from a backlog. */
  readonly enviadaEm: number
}

export interface MensagemDoTelefone extends Base {
  readonly tipo: 'mensagemDoTelefone'
  /**
   * Instant of writing, which starts the bot's silence. Differs from `agora` for messages of a backlog. Absent:
   * now.
   */
  readonly escritaEm?: number
}

export interface LigacaoPerdida extends Base {
  readonly tipo: 'ligacaoPerdida'
  readonly ligouEm: number
}

export type ResultadoIa =
  | { readonly tipo: 'texto'; readonly texto: string }
  | { readonly tipo: 'transferir'; readonly setor: string }
  | { readonly tipo: 'falha'; readonly motivo: string }

export interface RespostaIa extends Base {
  readonly tipo: 'respostaIa'
  readonly perguntaId: string
  readonly resultado: ResultadoIa
}

/** An action of an operator in the panel. */
export interface AcaoAtendente extends Base {
  readonly tipo: 'atendenteAssumiu' | 'devolvidaAoBot' | 'atendenteFinalizou'
}

export interface AtendenteTransferiu extends Base {
  readonly tipo: 'atendenteTransferiu'
  readonly setor: string
}

/** A test of the rating: only the question, without the goodbye. */
export interface AvaliacaoSimulada extends Base {
  readonly tipo: 'avaliacaoSimulada'
}

/** A timer for the rating fired; the rating expires only if its time is over. */
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
