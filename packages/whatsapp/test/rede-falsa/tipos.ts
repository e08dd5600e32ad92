import type { BinaryNode, proto } from 'baileys'
import type { Conexao } from './conexao.ts'
import type { ParSignal } from './par-signal.ts'

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
  /** Unconfirmed stanzas, oldest first. */
  readonly pendentes: BinaryNode[]
  revogado: boolean
  conexao: Conexao | null
}

export interface ChaveAssinada {
  readonly id: number
  readonly publica: Buffer
  readonly assinatura: Buffer
}

/** A person. The server may show the number or only the LID. */
export interface Pessoa {
  readonly numero: string
  readonly lid: string
  readonly nome: string
}

export interface Destinatario extends Pessoa {
  readonly sinal: ParSignal
  readonly entregar: (enviada: Enviada, cifrada: BinaryNode) => Promise<void>
}

export interface Dono extends Destinatario {
  readonly aparelhos: Map<number, Aparelho>
}

export interface Enviada {
  readonly aparelho: Aparelho
  readonly id: string
  readonly para: string
  readonly stanza: BinaryNode
}

/** Faults of the network, set by a test and evaluated for every stanza. */
export interface Falhas {
  /** Error code with which the server refuses the message. */
  recusar?: ((enviada: Enviada) => string | undefined) | undefined
  /** True: the stanza of a device is lost. */
  engolir?: ((stanza: BinaryNode) => boolean) | undefined
  /** True: the message is delivered and its ack is lost. */
  calarAck?: ((enviada: Enviada) => boolean) | undefined
  /** True: the message is acknowledged and lost. */
  perder?: ((enviada: Enviada) => boolean) | undefined
  /** True: the next message of the customer overtakes this one. */
  segurar?: (() => boolean) | undefined
  /** True: pairing requires a passkey and links nothing. */
  exigirChave?: boolean | undefined
  /** Error code for requests of a pairing code. */
  recusarCodigo?: string | undefined
  /** Code of `<failure>` for the next logins. */
  recusarLogin?: string | undefined
}

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
