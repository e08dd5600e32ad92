import type { BinaryNode, proto } from 'baileys'
import type { Conexao } from './conexao.ts'
import type { ParSignal } from './par-signal.ts'

/** A device that an owner linked: what the server knows of it. */
export interface Aparelho {
  readonly dono: Dono
  readonly id: number
  readonly jid: string
  readonly lidJid: string
  readonly chaveNoise: Buffer
  readonly identidade: Buffer
  readonly registro: number
  assinada: ChaveAssinada
  readonly deUmaVez: { readonly id: number; readonly publica: Buffer }[]
  /** Stanzas that no receipt or ack has confirmed, oldest first. */
  readonly pendentes: BinaryNode[]
  revogado: boolean
  conexao: Conexao | null
}

export interface ChaveAssinada {
  readonly id: number
  readonly publica: Buffer
  readonly assinatura: Buffer
}

/** Somebody with a number. The server may show the number, or only the LID. */
export interface Pessoa {
  readonly numero: string
  readonly lid: string
  readonly nome: string
}

/** Whoever the server delivers messages to. */
export interface Destinatario extends Pessoa {
  readonly sinal: ParSignal
  readonly entregar: (enviada: Enviada, cifrada: BinaryNode) => Promise<void>
}

/** The owner of linked devices. */
export interface Dono extends Destinatario {
  readonly aparelhos: Map<number, Aparelho>
}

/** What a device asked the server to send. */
export interface Enviada {
  readonly aparelho: Aparelho
  readonly id: string
  readonly para: string
  readonly stanza: BinaryNode
}

/** Set by a test to make the network misbehave; each is asked again for every stanza. */
export interface Falhas {
  /** The error code with which the server refuses a message. */
  recusar?: ((enviada: Enviada) => string | undefined) | undefined
  /** True: a stanza of a device never arrives. */
  engolir?: ((stanza: BinaryNode) => boolean) | undefined
  /** True: the message is delivered, and its ack is lost. */
  calarAck?: ((enviada: Enviada) => boolean) | undefined
  /** True: the message is acknowledged, and was for nobody. */
  perder?: ((enviada: Enviada) => boolean) | undefined
  /** True: a message of a customer waits until the next one has overtaken it. */
  segurar?: (() => boolean) | undefined
  /** True: who scans or types a code is asked for a passkey, and nothing is linked without one. */
  exigirChave?: boolean | undefined
  /** The error code with which who asks for a code to type gets none. */
  recusarCodigo?: string | undefined
  /** A code of `<failure>` with which the next logins are refused. */
  recusarLogin?: string | undefined
}

/** Everything a test may wait for. */
export interface Eventos {
  conectou: [Aparelho]
  caiu: [Aparelho]
  saiu: [Aparelho]
  enviada: [Enviada]
  recibo: [{ readonly aparelho: Aparelho; readonly stanza: BinaryNode }]
  ack: [{ readonly aparelho: Aparelho; readonly stanza: BinaryNode }]
  presenca: [{ readonly aparelho: Aparelho; readonly stanza: BinaryNode }]
  erro: [unknown]
}

export interface Recebida {
  readonly id: string
  readonly mensagem: proto.Message
  readonly texto: string
}
