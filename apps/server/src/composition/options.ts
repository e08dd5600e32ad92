import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Client } from 'pg'
import type { ConnectorFactory } from '@balcao/connector/port'
import type { AllowedPrinters } from '#adapters/impressora/allowed-addresses.ts'
import type { NavegadorOptions } from '#adapters/navegador/navegador.ts'
import type { SitesOptions } from '#adapters/sites/sites.ts'
import type { S3Options } from '#adapters/s3/files.ts'
import type { OficialTimings } from '#adapters/oficial/connection.ts'
import type { SmtpOptions } from '#adapters/smtp/mailer.ts'
import type { BotTimings, LeavingPlan } from '#bot/deps.ts'
import type { Database } from '#db/transaction.ts'
import type { Deps, Settings } from '#deps.ts'
import type { TrustProxy } from '#http/limits/client-address.ts'
import type { BackupPlan } from '#modules/sistema/index.ts'
import type { AiProvider } from '#ports/ai.ts'
import type { Clock } from '#ports/clock.ts'
import type { Ids } from '#ports/ids.ts'
import type { Mailer } from '#ports/mailer.ts'
import type { PasswordHasher } from '#security/password.ts'
import type { Vault } from '#security/vault.ts'
import type { Closing } from '../shutdown.ts'

export interface ServerOptions {
  readonly db: Database
  readonly reservedDb?: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: FastifyBaseLogger
  readonly vault: Vault
  /** Default: the cost of the product. Tests of other things use a cheap one. */
  readonly passwords?: PasswordHasher
  readonly exclusive?: boolean
  /** Opens a connection outside the pool, for the bus to other nodes. Absent: no other process uses the database. */
  readonly connectDirect?: () => Promise<Client>
  readonly node?: string
  readonly condemned?: () => void
  readonly nodeRoundMs?: number
  readonly smtp?: SmtpOptions
  readonly mailer?: Mailer
  readonly settings: Settings
  readonly trustProxy: TrustProxy
  readonly requestsPerConta?: number
  readonly dist?: string
  readonly checkResponses?: boolean
  /** Default: `arquivos` in the data folder. */
  readonly arquivosDir?: string
  /** All nodes use that folder. Default: false. */
  readonly sharedFiles?: boolean
  /** S3 bucket instead of that folder, needed when several nodes share the files. */
  readonly s3?: S3Options | undefined
  readonly geminiUrl?: string | undefined
  readonly openaiUrl?: string | undefined
  readonly anthropicUrl?: string | undefined
  readonly ai?: AiProvider
  readonly crashPoint?: string | undefined
  /** Fault tests only: no packet leaves for other nodes. */
  readonly muted?: boolean
  readonly qrRotationMs?: number
  /** Folder of the package of the connector `whatsapp`. Without it the server has no such connector. */
  readonly whatsappDir?: string
  /** WhatsApp server for tests. Refused unless it is on this machine. */
  readonly whatsappUrl?: string | undefined
  readonly whatsappMidiaUrl?: string | undefined
  readonly oficialUrl?: string | undefined
  readonly oficialTimings?: OficialTimings
  readonly pushServices?: readonly string[]
  readonly pushLoopback?: boolean
  readonly sites?: SitesOptions
  /** Default: no printers. */
  readonly printers?: AllowedPrinters
  /** Further connectors by name. Each also needs its row in `connectors.ts`. */
  readonly connectors?: Readonly<Record<string, ConnectorFactory>>
  readonly navegador?: Partial<NavegadorOptions>
  /** Browsers that contas may use, besides the usual paths, separated by `:`, `;` or `,`. */
  readonly chromePaths?: string | undefined
  readonly chromeAsRoot?: boolean
  readonly timings?: BotTimings
  readonly leaving?: LeavingPlan | undefined
  readonly backups?: BackupPlan | undefined
  /** Label `no` of the metrics, the same after a restart. Default: the name of the machine. */
  readonly nodeName?: string
  readonly freeDisk?: (folder: string) => Promise<number>
  readonly sleep?: Deps['sleep']
}

export interface ComposedServer {
  readonly http: FastifyInstance
  readonly deps: Deps
  readonly start: () => Promise<void>
  readonly leave: () => Promise<void>
  readonly idle: () => Promise<void>
  readonly parts: readonly Closing[]
}
