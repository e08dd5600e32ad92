import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { CodigoDePareamento, OutboundMessage } from './messaging.ts'

/** What the rest of the house may ask of the bot runtime. Any node may be asked; the one that holds the lease acts. */
export interface Bots {
  /** Wants the account's bot running and answers at once with its status; QR code and connection come later. */
  readonly iniciar: (contaId: string) => Promise<BotStatus>
  /** `por` is the name of whoever asked, for the account's log. */
  readonly parar: (contaId: string, por?: string) => Promise<BotStatus>
  /** Stops it, unlinks the phone where possible and erases the credentials. It is on the trail with who asked for it. */
  readonly limparSessao: (contaId: string, quem: QuemPediu) => Promise<void>
  readonly status: (contaId: string) => Promise<BotStatus>
  /** A code to type on the phone with this number. Throws `semQrCode` or `dadosInvalidos`. */
  readonly codigo: (contaId: string, telefone: string) => Promise<CodigoDePareamento>
  /** Configuration, products, plan or maintenance changed: the next message must follow the new state. */
  readonly contextoMudou: (contaId: string) => void
  /** Rows were added to `saida` (an operator wrote, a failed message is retried): called after their commit, in its order. */
  readonly saidaNova: (contaId: string, novas: readonly SaidaNova[]) => void
  /** A customer was erased: no node remembers anything of this contact, nor sends what waited for it. */
  readonly esquecerContato: (contaId: string, contato: ContatoApagado) => void
  /** Whether the loop that renews the leases of this node has begun and went round a moment ago. Without it bots fall silent. */
  readonly leasesVivos: () => boolean
  /** Shows 'digitando…' on a customer's phone for a moment. Never blocks, may do nothing. */
  readonly digitando: (contaId: string, endereco: string) => void
}

export interface ContatoApagado {
  readonly contatoId: string
  /** Canonical, all of them. */
  readonly enderecos: readonly string[]
}

/** The person behind a request. */
export interface QuemPediu {
  readonly usuarioId: string
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly ip: string
}

/** A row of `saida`, whole, so that it leaves without being read again. */
export interface SaidaNova extends OutboundMessage {
  /** Which message it marks, and what stood there before. */
  readonly reacao?: NonNullable<OutboundMessage['reacao']> & {
    readonly mensagemId: string
    readonly anterior: string | null
  }
  readonly mensagemId: string
  readonly contatoId: string
  /** Called when it left through this node: tells what is known already, without reading it again. */
  readonly saiu: () => void
}
