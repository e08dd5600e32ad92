/**
 * Types of the connector and of its host. Written here and not imported, because this package alone is under
 * GPL-3.0. The server's ports have the same shapes.
 */

export type Motivo =
  | 'qrExpirado'
  | 'desconectadoNoCelular'
  | 'substituido'
  | 'banido'
  | 'banidoPorUmTempo'
  | 'chaveDeAcesso'
  | 'clienteDesatualizado'
  | 'credenciaisInvalidas'
  | 'semRede'
  | 'servicoInstavel'
  | 'erroInterno'

export type Estado =
  | { readonly tipo: 'conectando' }
  | { readonly tipo: 'pareando'; readonly qrCode: string; readonly expiraEm: Date }
  | { readonly tipo: 'conectado'; readonly como: string }
  | { readonly tipo: 'reconectando'; readonly motivo: Motivo }
  | { readonly tipo: 'encerrado'; readonly status: 'PARADO' | 'ERRO' | 'erro_auth'; readonly motivo: Motivo }

export interface Midia {
  readonly tipo: 'imagem' | 'audio' | 'video' | 'documento' | 'figurinha' | 'localizacao' | 'contato' | 'outro'
  readonly url?: string | undefined
  readonly nomeArquivo?: string | undefined
  readonly mimeType?: string | undefined
  readonly tamanhoBytes?: number | undefined
}

export interface Pessoa {
  /** JID of the sender without device. Answers go to it. */
  readonly endereco: string
  readonly outrosEnderecos: readonly string[]
  readonly telefone: string
}

/** The quoted message. */
export interface Citada {
  readonly texto: string
  readonly nossa: boolean
}

export type Mudanca =
  | { readonly tipo: 'edicao'; readonly texto: string }
  | { readonly tipo: 'apagada' }
  /** An empty emoji removes the reaction. */
  | { readonly tipo: 'reacao'; readonly emoji: string }

export interface Alteracao extends Pessoa {
  /** Our message: its `idExterno`. Any other message: the id with which it was received. */
  readonly alvo: string
  readonly deMim: boolean
  readonly mudanca: Mudanca
}

export interface Recebida extends Pessoa {
  readonly id: string
  readonly nome: string
  readonly texto: string
  readonly midia?: Midia
  readonly citada?: Citada
  readonly ligacao?: 'voz' | 'video'
  readonly deMim: boolean
  readonly enviadaEm: Date
}

/** An earlier message, as the server stores it. */
export interface Alvo {
  /** WhatsApp's id, or the `idExterno` of our message. */
  readonly id: string
  readonly nossa: boolean
  readonly texto: string
}

export interface AEnviar {
  readonly idExterno: string
  readonly endereco: string
  readonly texto: string
  readonly midia?: Midia
  readonly citada?: Alvo
  /** A reaction instead of a message. An empty `emoji` removes the reaction. */
  readonly reacao?: { readonly alvo: Alvo; readonly emoji: string }
}

export interface MudancaChave {
  readonly tipo: string
  readonly id: string
  /** Null deletes the entry. */
  readonly valor: string | null
}

/** A journal entry: a decrypted message that the host has not stored yet. It cannot be decrypted a second time. */
export interface Chegada {
  readonly id: string
  readonly valor: string
}

/** The secrets of one session. The host stores them encrypted. */
export interface Chaves {
  readonly ler: (tipo: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Writes everything in one transaction. Rejects if another process owns the session. */
  readonly gravar: (mudancas: readonly MudancaChave[], chegadas: readonly Chegada[]) => Promise<void>
  readonly apagar: () => Promise<void>
  /** Entries of the journal in the order of arrival. */
  readonly chegadas: () => Promise<readonly Chegada[]>
  readonly concluir: (id: string) => Promise<void>
}

export interface Anfitriao {
  readonly credenciais: unknown
  readonly salvarCredenciais: (credenciais: unknown) => Promise<void>
  readonly estado: (estado: Estado) => Promise<void>
  /** Resolves after the commit. A repeated message resolves too and changes nothing. */
  readonly receber: (mensagem: Recebida) => Promise<void>
  /** Like `receber`, for changes of earlier messages. False, without a change, if the message is unknown. */
  readonly alterar: (alteracao: Alteracao) => Promise<boolean>
  readonly chaves: Chaves
  /** The customer is typing. Called often. */
  readonly digitando: (cliente: Pick<Recebida, 'telefone' | 'endereco'>) => void
  /** Stores the file of a received message. Rejects a file that is not accepted. */
  readonly guardarMidia: (bytes: Uint8Array, nome: string) => Promise<Midia>
  /** The file of our message; null if it was deleted. */
  readonly lerMidia: (url: string) => Promise<{ readonly bytes: Uint8Array; readonly mimeType: string } | null>
  /** Text of a message of this customer by WhatsApp's id; null if unknown. */
  readonly citada: (cliente: Pessoa, alvo: string) => Promise<Pick<Citada, 'texto'> | null>
  /** Our messages with an `idExterno` (UUID) between `de` and `ate`, both included. */
  readonly enviadas: (de: string, ate: string) => Promise<readonly AEnviar[]>
  /** The phone received our message, or the customer read it. */
  readonly recibo: (idExterno: string, recibo: 'entregue' | 'lida') => void
}

export interface CodigoDePareamento {
  readonly codigo: string
  readonly expiraEm: Date
}

export interface Conector {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly logout: () => Promise<void>
  /**
   * Resolves once WhatsApp confirmed the message. Rejects with `Falhou` (may be retried), `Recusada` (final) or
   * `Adiada` (not its turn).
   */
  readonly send: (mensagem: AEnviar) => Promise<void>
  readonly digitando: (endereco: string) => void
  /** Milliseconds since the last frame of the server, heartbeats included; null without a connection. */
  readonly silencioMs: () => number | null
  /**
   * Requests a code for this phone number (country code first, digits only). Null if no pairing is in progress;
   * rejects with `Recusada` if the number is not accepted.
   */
  readonly codigo: (telefone: string) => Promise<CodigoDePareamento | null>
}

/**
 * The message was not sent; a retry may succeed. The error text of this and the next two classes is shown to
 * people.
 */
export class Falhou extends Error {
  override readonly name = 'Falhou'
}

/** The service refused the message permanently. */
export class Recusada extends Error {
  override readonly name = 'Recusada'
}

/** It is not the turn of the message. Nothing was sent; the caller may try again after `esperaMs`. */
export class Adiada extends Error {
  override readonly name = 'Adiada'
  readonly esperaMs: number

  constructor(esperaMs: number) {
    super('as mensagens saem no ritmo de uma pessoa')
    this.esperaMs = esperaMs
  }
}
