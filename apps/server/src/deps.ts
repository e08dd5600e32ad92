import type { FastifyBaseLogger } from 'fastify'
import type { ConectorTipo } from '@balcao/contract/connectors'
import type { Database, Tx } from '#db/transaction.ts'
import type { Authenticate } from '#http/authentication.ts'
import type { KeptAssets } from '#http/kept-assets.ts'
import type { Metrics } from '#http/ops/metrics/metrics.ts'
import type { CrashPoints } from '#lib/crash-points.ts'
import type { AiProvider } from '#ports/ai.ts'
import type { Backups } from '#ports/backups.ts'
import type { Bots, BuildEvent, LineKey } from '#ports/bots.ts'
import type { Leader, NodeLease } from '#ports/bus.ts'
import type { Clock } from '#ports/clock.ts'
import type { Files } from '#ports/files.ts'
import type { Embeddings } from '#ports/fontes/embeddings.ts'
import type { Sites } from '#ports/fontes/sites.ts'
import type { Ids } from '#ports/ids.ts'
import type { Mailer } from '#ports/mailer.ts'
import type { OficialService } from '#ports/oficial.ts'
import type { Printer } from '#ports/impressora/printer.ts'
import type { PushSender } from '#ports/push/sender.ts'
import type { Realtime } from '#ports/realtime.ts'
import type { Simulador } from '#ports/simulador.ts'
import type { ChatFeed, ChatInbox } from '#ports/webchat/chat.ts'
import type { FileLinks } from '#ports/file-links.ts'
import type { LoginDelays } from '#security/login-delays.ts'
import type { PasswordHasher } from '#security/password.ts'
import type { Vault } from '#security/vault.ts'

/** The dialogue of a contato on one line. */
export interface DialogueRef extends LineKey {
  readonly contatoId: string
}

/**
 * Applies an engine event to a contato inside the caller's transaction, which must not hold a lock on the conversa of
 * this contato. The messages are sent after that commit.
 */
export type ApplyEventIn = (tx: Tx, ref: DialogueRef, event: BuildEvent) => Promise<void>

export interface SentEvent {
  /** Resolves when they are stored. Statements that are sent before share their round trip. */
  readonly stored: Promise<void>
}

/** As `ApplyEventIn`, but resolves when the writes are sent. */
export type SendEventIn = (tx: Tx, ref: DialogueRef, event: BuildEvent) => Promise<SentEvent>

/** Parts of this node that must work before it takes traffic. */
export interface Readiness {
  readonly banco: boolean
  readonly chave: boolean
  readonly disco: boolean
  readonly bots: boolean
}

/** Readiness of this node, kept in memory by periodic checks. A probe costs no statement. */
export interface ReadinessMonitor {
  readonly read: () => Promise<Readiness>
  readonly start: () => void
  readonly stop: () => void
}

/** Dependencies of the use cases, selected with `Pick<Deps, …>`. Built once by main.ts or a test. */
export interface Deps {
  readonly db: Database
  /**
   * A few connections apart from those of `db`, for lease renewals, readiness, protocol numbers and the releases at
   * shutdown. Requests and messages may hold all connections of `db`.
   */
  readonly reservedDb: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  readonly crashPoint: CrashPoints
  readonly readiness: ReadinessMonitor
  readonly keptAssets: KeptAssets
  readonly vault: Vault
  readonly passwords: PasswordHasher
  readonly delays: LoginDelays
  readonly mailer: Mailer
  readonly mailQueued: () => void
  readonly push: PushSender
  readonly printer: Printer
  readonly files: Files
  readonly fileLinks: FileLinks
  readonly realtime: Realtime
  readonly fleet: NodeLease
  readonly leader: Leader
  readonly bots: Bots
  readonly simulador: Simulador
  readonly webchat: ChatInbox & { readonly feed: ChatFeed }
  readonly ai: AiProvider
  readonly embeddings: Embeddings
  readonly sites: Sites
  /** Sources wait to be read. */
  readonly fontesQueued: () => void
  readonly backups: Backups
  /** The official API, and `wake`, which notifies the session of stored webhook messages. */
  readonly oficial: OficialService & { readonly wake: (linhaId: string) => void }
  readonly applyEventIn: ApplyEventIn
  readonly sendEventIn: SendEventIn
  /** Looks for due timers on this node after this time, in ms. */
  readonly lookForDueIn: (ms: number) => void
  readonly authenticate: Authenticate
  /**
   * Clears the one-second cache of `authenticate` after a change of a usuario, a conta or a login session. Resolves when
   * the other nodes did it too, or after 500 ms.
   */
  readonly forgetSessions: () => Promise<void>
  /** Resolves after this time. Tests pass one that does not wait. */
  readonly sleep: (ms: number) => Promise<void>
  readonly settings: Settings
  /** The connectors of this server, in the order of `CONECTORES`. */
  readonly conectores: readonly ConectorTipo[]
}

export interface Settings {
  readonly urlPublica: string
  readonly conectorPadrao: ConectorTipo
  readonly dataDir: string
  readonly metricsToken: string | null
  /** Tests only: a `compativel` provider of the AI may be http on this machine. */
  readonly iaLoopback?: boolean
}
