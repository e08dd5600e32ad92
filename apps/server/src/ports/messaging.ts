import type { ConectorTipo } from '@balcao/contract/constants'
import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import type { Midia } from '@balcao/contract/entities/mensagem'

/** What a message answers, as it is shown above it. */
export interface Citada {
  readonly texto: string
  /** Ours, and not the customer's. */
  readonly nossa: boolean
}

/** What a messaging service brings: one message of one customer. */
export interface InboundMessage {
  /** The service's own id: with the account and the service it names the message for good. */
  readonly id: string
  /** Where to answer, exactly as the service gave it. */
  readonly endereco: string
  /** Other addresses that the service says are the same person's: the contact is found under any of them. */
  readonly outrosEnderecos?: readonly string[]
  /** With country code, digits only; empty when the service hides it, and then `endereco` alone names the customer. */
  readonly telefone: string
  /** Empty when the service does not know it. */
  readonly nome: string
  readonly texto: string
  readonly midia?: Midia
  /** What it answers, as the service shows it above. */
  readonly citada?: Citada
  /** A call that nobody took; `texto` says so, and `enviadaEm` is when it rang. */
  readonly ligacao?: 'voz' | 'video'
  /** Typed by the owner on the phone. */
  readonly deMim?: boolean
  /** A group, a status broadcast or a newsletter: never answered. */
  readonly grupo?: boolean
  readonly enviadaEm: Date
}

/** Somebody changed a message of before, on the customer's phone or on ours. */
export interface Alteracao {
  readonly endereco: string
  readonly outrosEnderecos?: readonly string[]
  readonly telefone: string
  /** The `idExterno` of a message of ours; else the service's own id. */
  readonly alvo: string
  readonly deMim: boolean
  readonly mudanca:
    | { readonly tipo: 'edicao'; readonly texto: string }
    | { readonly tipo: 'apagada' }
    /** Empty: taken back. */
    | { readonly tipo: 'reacao'; readonly emoji: string }
}

/** A message that the service approved beforehand, and what fills its gaps. */
export interface ModeloEnviado {
  readonly nome: string
  readonly idioma: string
  readonly valores: readonly { readonly lacuna: string; readonly valor: string }[]
}

/** A message of before, as the service can be told of it. */
export interface Alvo {
  /** The service's own id; of a message of ours that has none there, its `idExterno`. */
  readonly id: string
  readonly nossa: boolean
  /** What it says, or what its file is called. */
  readonly texto: string
}

export interface OutboundMessage {
  /** Fixed before the first attempt: a repeated attempt carries the same one. */
  readonly idExterno: string
  readonly endereco: string
  readonly texto: string
  readonly midia?: Midia
  /** Then `texto` only says what the customer will read. */
  readonly modelo?: ModeloEnviado
  /** What it answers. */
  readonly citada?: Alvo
  /** Then it says nothing by itself: it marks a message of before. An empty `emoji` takes the mark back. */
  readonly reacao?: { readonly alvo: Alvo; readonly emoji: string }
}

/** The link to the phone as the connector sees it. */
export type EstadoConexao =
  | { readonly tipo: 'conectando' }
  | { readonly tipo: 'pareando'; readonly qrCode: string; readonly expiraEm: Date }
  | { readonly tipo: 'conectado'; readonly como: string }
  /** The connector tries again by itself. */
  | { readonly tipo: 'reconectando'; readonly motivo: MotivoBot }
  /** A person has to act. `status` is `ERRO` or `erro_auth`, or `PARADO` after a logout on the phone. */
  | { readonly tipo: 'encerrado'; readonly status: StatusBot; readonly motivo: MotivoBot }

export interface MudancaChave {
  readonly tipo: string
  readonly id: string
  /** Null erases. */
  readonly valor: string | null
}

/** A message that the connector has read and that is not received yet. */
export interface Chegada {
  readonly id: string
  readonly valor: string
}

/** Secrets of one session beside its credentials, and the journal of what it read. All of it is sealed at rest. */
export interface ChavesDaSessao {
  readonly ler: (tipo: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** One transaction for all of it; rejects when the lease is another node's. */
  readonly gravar: (mudancas: readonly MudancaChave[], chegadas: readonly Chegada[]) => Promise<void>
  readonly apagar: () => Promise<void>
  /** In the order of arrival. */
  readonly chegadas: () => Promise<readonly Chegada[]>
  readonly concluir: (id: string) => Promise<void>
}

/** How far a message came that had left, where the service tells. */
export type Recibo = 'entregue' | 'lida'

/** What the runtime gives a connector. */
export interface SessionHost {
  readonly contaId: string
  readonly clientId: string
  readonly chromePath: string
  /** What `salvarCredenciais` was last given, or null before the first pairing. */
  readonly credenciais: unknown
  /** Resolves once written under this lease; rejects when the lease is gone. */
  readonly salvarCredenciais: (credenciais: unknown) => Promise<void>
  readonly chaves: ChavesDaSessao
  /**
   * Keeps the file of a message that comes, and gives what the message carries of it. Rejects with `MidiaRecusada` on what is not
   * kept here; anything else may be tried again.
   */
  readonly guardarMidia: (bytes: Uint8Array, nome: string) => Promise<Midia>
  /** The file of a message of ours, by its `midia.url`; null when it is gone. */
  readonly lerMidia: (url: string) => Promise<{ readonly bytes: Uint8Array; readonly mimeType: string } | null>
  /** The number of the customer at this address, with country code, digits only; empty when nobody knows it. */
  readonly telefoneDe: (endereco: string) => Promise<string>
  /** What a message of before in this customer's conversations said, by the service's own id; null when nobody knows it. */
  readonly citada: (
    cliente: Pick<InboundMessage, 'telefone' | 'endereco' | 'outrosEnderecos'>,
    alvo: string,
  ) => Promise<Citada | null>
  /** Before `send` resolves: the id by which the service itself will speak of this message. */
  readonly chamada: (idExterno: string, idDoServico: string) => void
  /** Messages of ours whose `idExterno`, a UUID, lies between the two, both included. */
  readonly enviadas: (de: string, ate: string) => Promise<readonly OutboundMessage[]>
  /** Resolves once the new state is written and told. States are written in the order given. */
  readonly estado: (estado: EstadoConexao) => Promise<void>
  /** Resolves after the commit: only then may the service be told that the message arrived. */
  readonly receber: (mensagem: InboundMessage) => Promise<void>
  /** Resolves after the commit; with false, and nothing written, when this customer's conversations have no such message. */
  readonly alterar: (alteracao: Alteracao) => Promise<boolean>
  /** `idExterno` is the one it was sent with. May come twice, late, or in the wrong order. */
  readonly recibo: (idExterno: string, recibo: Recibo) => void
  /** A message that had left will not arrive after all; `erro` tells a person why. Resolves once that is written. */
  readonly naoEntregue: (idExterno: string, erro: string) => Promise<void>
  /** The same for a reaction that had left; `alvo` is the service's own id of the message that it marks. */
  readonly reacaoNaoEntregue: (reacao: { readonly alvo: string; readonly emoji: string }, erro: string) => Promise<void>
  /** The customer is writing, where the service tells. May come often; nothing is stored. */
  readonly digitando: (cliente: Pick<InboundMessage, 'telefone' | 'endereco'>) => void
}

/** What the owner types on the phone instead of scanning. */
export interface CodigoDePareamento {
  readonly codigo: string
  readonly expiraEm: Date
}

/** One linked phone. Made for one lease and thrown away with it. */
export interface Connector {
  readonly capacidades: { readonly digitando: boolean }
  /** Milliseconds since the service last said anything on this link, a heartbeat included; null while there is no link. */
  readonly silencioMs: () => number | null
  /** Idempotent. Pairs when there are no credentials; outcomes arrive through `host.estado`. */
  readonly start: () => Promise<void>
  /** Closes the link and keeps the credentials. No `host` call follows. */
  readonly stop: () => Promise<void>
  /** Unlinks the phone where the service lets us, also for a session that was never started; the runtime erases the credentials. */
  readonly logout: () => Promise<void>
  /**
   * Resolves once the service took it. Throws `EnvioRecusado` when no retry can help, `EnvioAdiado` when the service wants it
   * later; anything else is retried.
   */
  readonly send: (mensagem: OutboundMessage) => Promise<void>
  /** Shows the typing indicator for a moment. Never blocks. */
  readonly digitando: (endereco: string) => void
  /**
   * A code for the phone with this number (digits, country first), where the service has such a thing; null when nothing is
   * being paired. Throws `EnvioRecusado` when the service does not want the number.
   */
  readonly codigo?: (telefone: string) => Promise<CodigoDePareamento | null>
}

export type ConnectorFactory = (host: SessionHost) => Connector
export type Connectors = Readonly<Partial<Record<ConectorTipo, ConnectorFactory>>>

/** A message did not leave, and may when it is tried again. Of this class and the two below people read the message; of no other. */
export class EnvioFalhou extends Error {}

/** The service said no for good (unknown number, refused content). */
export class EnvioRecusado extends Error {}

/** A file that the product does not keep: too big, or of no kind that it knows. */
export class MidiaRecusada extends Error {}

/** The service asks for patience: nothing was tried, so no attempt is counted. */
export class EnvioAdiado extends Error {
  readonly esperaMs: number

  constructor(motivo: string, esperaMs: number) {
    super(motivo)
    this.esperaMs = esperaMs
  }
}

/** The phone of the embedded simulator (decisions §4). Each answers false when this account has no such phone here. */
export interface TelefoneSimulado {
  /** Scans the code shown now and resolves once connected; false when none is shown. */
  readonly escanear: (contaId: string) => Promise<boolean>
  readonly desconectar: (contaId: string) => Promise<boolean>
  readonly falharEnvios: (contaId: string, envios: number) => boolean
  /** The customer with this phone is writing. */
  readonly digitar: (contaId: string, telefone: string) => boolean
}
