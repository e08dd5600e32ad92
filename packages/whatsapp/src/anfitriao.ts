/**
 * What the connector needs of whoever runs it, and what it offers. Written out here, and not imported, because this package
 * is alone under its licence: the server's ports fit these shapes.
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

/** Whose conversation it is. */
export interface Pessoa {
  /** The JID it came from, without device: answers go there. */
  readonly endereco: string
  /** The other JIDs that are known to be the same person's. */
  readonly outrosEnderecos: readonly string[]
  readonly telefone: string
}

/** The message that another one answers, as it is shown above it. */
export interface Citada {
  readonly texto: string
  /** Ours, and not the customer's. */
  readonly nossa: boolean
}

export type Mudanca =
  | { readonly tipo: 'edicao'; readonly texto: string }
  | { readonly tipo: 'apagada' }
  /** Empty: taken back. */
  | { readonly tipo: 'reacao'; readonly emoji: string }

/** Somebody changed a message of before. */
export interface Alteracao extends Pessoa {
  /** The `idExterno` of a message of ours; of others, the id with which they were received. */
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
  /** A call that nobody took. */
  readonly ligacao?: 'voz' | 'video'
  readonly deMim: boolean
  readonly enviadaEm: Date
}

/** A message of before, as the server knows it. */
export interface Alvo {
  /** WhatsApp's own id, or the `idExterno` of a message of ours. */
  readonly id: string
  readonly nossa: boolean
  readonly texto: string
}

export interface AEnviar {
  readonly idExterno: string
  readonly endereco: string
  readonly texto: string
  readonly midia?: Midia
  /** What it answers. */
  readonly citada?: Alvo
  /** Then it only marks a message of before; an empty `emoji` takes the mark back. */
  readonly reacao?: { readonly alvo: Alvo; readonly emoji: string }
}

export interface MudancaChave {
  readonly tipo: string
  readonly id: string
  /** Null erases. */
  readonly valor: string | null
}

/** A message that was decrypted and not yet received: its content must not be lost, for nobody can decrypt it twice. */
export interface Chegada {
  readonly id: string
  readonly valor: string
}

/** The secrets of one session. Whoever keeps them keeps them sealed. */
export interface Chaves {
  readonly ler: (tipo: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** All of it in one transaction, or nothing; rejects when another process owns the session by now. */
  readonly gravar: (mudancas: readonly MudancaChave[], chegadas: readonly Chegada[]) => Promise<void>
  readonly apagar: () => Promise<void>
  /** What arrived and was not concluded, in the order of arrival. */
  readonly chegadas: () => Promise<readonly Chegada[]>
  readonly concluir: (id: string) => Promise<void>
}

export interface Anfitriao {
  readonly credenciais: unknown
  readonly salvarCredenciais: (credenciais: unknown) => Promise<void>
  readonly estado: (estado: Estado) => Promise<void>
  /** Resolves after the commit. A repetition resolves too, and changes nothing. */
  readonly receber: (mensagem: Recebida) => Promise<void>
  /** The same for what changes a message of before; with false, and nothing changed, when nobody knows that message. */
  readonly alterar: (alteracao: Alteracao) => Promise<boolean>
  readonly chaves: Chaves
  /** The customer is writing. May come often. */
  readonly digitando: (cliente: Pick<Recebida, 'telefone' | 'endereco'>) => void
  /** Keeps the file of a message that comes, and gives what the message carries of it. Rejects on what it will not keep. */
  readonly guardarMidia: (bytes: Uint8Array, nome: string) => Promise<Midia>
  /** A file of a message of ours; null when it is gone. */
  readonly lerMidia: (url: string) => Promise<{ readonly bytes: Uint8Array; readonly mimeType: string } | null>
  /** What a message of this customer said, by WhatsApp's own id; null when nobody knows it. */
  readonly citada: (cliente: Pessoa, alvo: string) => Promise<Pick<Citada, 'texto'> | null>
  /** Messages of ours whose `idExterno` (a UUID) lies between the two, both included. */
  readonly enviadas: (de: string, ate: string) => Promise<readonly AEnviar[]>
  /** The customer's phone has it, or the customer read it. */
  readonly recibo: (idExterno: string, recibo: 'entregue' | 'lida') => void
}

/** What the owner types on the phone instead of scanning. */
export interface CodigoDePareamento {
  /** Eight letters and digits. */
  readonly codigo: string
  readonly expiraEm: Date
}

export interface Conector {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly logout: () => Promise<void>
  /** Resolves once the service took it. Rejects with `Recusada` when no repetition can help, with `Adiada` before its turn. */
  readonly send: (mensagem: AEnviar) => Promise<void>
  readonly digitando: (endereco: string) => void
  /** Milliseconds since the server last said anything, a heartbeat included; null without a line. */
  readonly silencioMs: () => number | null
  /** Asks for a code for the phone with this number, country code first, digits only. Null when nothing is being paired; `Recusada`: not a number. */
  readonly codigo: (telefone: string) => Promise<CodigoDePareamento | null>
}

/** It did not leave, and may when it is tried again. The message is a sentence for people, as in the two below. */
export class Falhou extends Error {
  override readonly name = 'Falhou'
}

/** The service said no for good. */
export class Recusada extends Error {
  override readonly name = 'Recusada'
}

/** It is not the turn of this message: nothing was tried, and after `esperaMs` it may be offered again. */
export class Adiada extends Error {
  override readonly name = 'Adiada'
  readonly esperaMs: number

  constructor(esperaMs: number) {
    super('as mensagens saem no ritmo de uma pessoa')
    this.esperaMs = esperaMs
  }
}
