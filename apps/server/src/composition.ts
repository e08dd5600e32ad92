import type { ConnectorFactory } from '@balcao/connector/port'
import { CONECTORES } from '@balcao/contract/constants'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Client } from 'pg'
import { createGemini } from '#adapters/gemini/gemini.ts'
import { randomUUID } from 'node:crypto'
import { createBus } from '#adapters/bus.ts'
import { parseChromePaths } from '#adapters/navegador/browser/executable.ts'
import { createNavegador, type NavegadorOptions } from '#adapters/navegador/navegador.ts'
import type { S3Options } from '#adapters/s3/files.ts'
import { createOficial, type OficialTimings } from '#adapters/oficial/connection.ts'
import { createSimulador } from '#adapters/simulador/connector.ts'
import { createSimuladorPhone } from '#adapters/simulador/phone.ts'
import { createSmtpMailer, type SmtpOptions } from '#adapters/smtp/mailer.ts'
import { createStorage } from '#adapters/storage.ts'
import { createWhatsappConnectors } from '#adapters/whatsapp/connector.ts'
import type { BotDeps, BotTimings } from '#bot/deps.ts'
import { type BotRuntime, createBotRuntime } from '#bot/runtime.ts'
import type { Database } from '#db/transaction.ts'
import type { Deps, Settings } from '#deps.ts'
import type { TrustProxy } from '#http/limits/client-address.ts'
import { createKeptAssets } from '#http/kept-assets.ts'
import { createMetrics, type Metrics } from '#http/ops/metrics/metrics.ts'
import { createReadiness } from '#http/ops/ready.ts'
import { createHttp } from '#http/server.ts'
import { createCrashPoints, type CrashPoints } from '#lib/crash-points.ts'
import { waitAtMost } from '#lib/time.ts'
import { createReadMidia, storeReceived, readForSending } from '#modules/arquivos/index.ts'
import { createAuthenticate } from '#modules/auth/index.ts'
import { listWithLink } from '#modules/bot/index.ts'
import { repairTimeZones } from '#modules/configuracao/index.ts'
import { createMailWorker, type MailWorker } from '#modules/emails/index.ts'
import { eraseRestoredTitulares } from '#modules/lgpd/index.ts'
import { createOficialJournal } from '#modules/oficial/index.ts'
import { FleetMember, NodeRegistry, nodesJob, TaskLeader } from '#modules/nos/index.ts'
import { retentionJob } from '#modules/retencao/index.ts'
import { BackupJob, type BackupPlan, totalsJob } from '#modules/sistema/index.ts'
import { usageJob } from '#modules/usuarios/index.ts'
import type { AiProvider } from '#ports/ai.ts'
import type { Bus } from '#ports/bus.ts'
import type { Clock } from '#ports/clock.ts'
import type { Files } from '#ports/files.ts'
import type { Ids } from '#ports/ids.ts'
import type { Mailer } from '#ports/mailer.ts'
import type { RealtimeServer } from '#realtime/server.ts'
import { createSocketServer } from '#realtime/socket-server.ts'
import { createFileLinks } from '#security/file-links.ts'
import { createPasswords, type PasswordHasher } from '#security/password.ts'
import type { Vault } from '#security/vault.ts'
import { mountApp } from './app.ts'
import type { Closing } from './shutdown.ts'

export interface ServerOptions {
  readonly db: Database
  /** Default: `db`. */
  readonly reservedDb?: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: FastifyBaseLogger
  readonly vault: Vault
  /** Default: the cost of the product. Tests of other things use a cheap one. */
  readonly passwords?: PasswordHasher
  /** Leases of a dead process are taken before they expire. Only where no other process can be working. */
  readonly exclusive?: boolean
  /** Opens a connection outside the pool, for the bus to other nodes. Absent: no other process uses the database. */
  readonly connectDirect?: () => Promise<Client>
  /** Id of this process among the nodes. Default: a new one. */
  readonly node?: string
  /** Called when another node found this one dead. */
  readonly condemned?: () => void
  /** Interval of the renewals of this node. */
  readonly nodeRoundMs?: number
  readonly smtp?: SmtpOptions
  /** Default: a mailer for `smtp`. */
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
  /** Without `/v1beta`. Default: Google's. */
  readonly geminiUrl?: string | undefined
  readonly ai?: AiProvider
  readonly crashPoint?: string | undefined
  /** Fault tests only: no packet leaves for other nodes. */
  readonly muted?: boolean
  readonly qrRotationMs?: number
  /** Folder of the package of the connector `whatsapp`. Without it the server has no such connector. */
  readonly whatsappDir?: string
  /** WhatsApp server for tests. Refused unless it is on this machine. */
  readonly whatsappUrl?: string | undefined
  /** Media server for tests. */
  readonly whatsappMidiaUrl?: string | undefined
  /** Graph API for tests and proxies. */
  readonly oficialUrl?: string | undefined
  readonly oficialTimings?: OficialTimings
  /** Further connectors by name. Each also needs its row in `connectors.ts`. */
  readonly connectors?: Readonly<Record<string, ConnectorFactory>>
  readonly navegador?: Partial<NavegadorOptions>
  /** Browsers that contas may use, besides the usual paths, separated by `:`, `;` or `,`. */
  readonly chromePaths?: string | undefined
  readonly chromeAsRoot?: boolean
  readonly timings?: BotTimings
  /** Schedule of copies. Absent: none are made. */
  readonly backups?: BackupPlan | undefined
  /** Label `no` of the metrics, the same after a restart. Default: the name of the machine. */
  readonly nodeName?: string
  /** Default: the free space of the disk. */
  readonly freeDisk?: (folder: string) => Promise<number>
  /** Default: a timer. */
  readonly sleep?: Deps['sleep']
}

export interface ComposedServer {
  readonly http: FastifyInstance
  readonly deps: Deps
  readonly start: () => Promise<void>
  readonly idle: () => Promise<void>
  readonly parts: readonly Closing[]
}

/** How long the other parts wait at shutdown for accepted requests. The requests then end while those parts close. */
const REQUESTS_MS = 4_000
/** How long the shutdown waits for the row of this node and for running jobs. A slow mail server may take 20 s. */
const JOBS_MS = 2_000

/** Builds all parts of the server. `start` begins the periodic work; `parts` are closed in their order. */
export async function composeServer(options: ServerOptions): Promise<ComposedServer> {
  const { db, reservedDb = db, clock, log, vault, settings, dist, node = randomUUID() } = options
  const http = await openHttp(options)
  const metrics = createMetrics(options.nodeName)
  const crashPoint = createCrashPoints(options.crashPoint)
  const bus = createBus({ ...options, connect: options.connectDirect, node, seal: vault, crashPoint })
  const fleet = new NodeRegistry({ reservedDb, clock, log, metrics, settings }, { ...options, id: node, bus })
  const { authenticate, forgetSessions } = createAuthenticate({ db, clock, mayCache: bus.complete })
  const fileLinks = createFileLinks(options)
  const realtime = createSocketServer(options, http, { authenticate, forgetSessions, fileLinks, bus, fleet })
  const files = createFiles(options, crashPoint)
  const ai = options.ai ?? createGemini({ baseUrl: options.geminiUrl, log })
  const mailer = options.mailer ?? createSmtpMailer(options.smtp ?? {})
  const connections = createConnections(options, bus)
  const conectores = CONECTORES.filter((name) => connections.connectors[name] !== undefined)
  if (!conectores.includes(settings.conectorPadrao)) throw new Error('CONECTOR_PADRAO: conector não instalado')
  const mails = createMailWorker({ ...options, mailer })
  const mailQueued = (): void => mails.wake()
  const shared = { realtime, crashPoint, files, ai, bus, node, connections, mailQueued, metrics }
  const runtime = createRuntime(options, shared)
  const { bots, applyEventIn, applyEventWith, idle } = runtime
  const backups = new BackupJob({ clock, log }, options.backups)
  const readiness = createReadiness({ ...options, reservedDb, bots })
  const deps: Deps = {
    ...{ db, reservedDb, clock, ids: options.ids, log, metrics, readiness, vault, mailer, mailQueued },
    ...{ files, fileLinks, settings, conectores, passwords: options.passwords ?? createPasswords() },
    keptAssets: createKeptAssets(db, dist),
    ...{ realtime, bots, ai, applyEventIn, applyEventWith, authenticate, backups, fleet },
    leader: new TaskLeader({ db }, fleet),
    ...{ simulador: createSimuladorPhone(runtime), oficial: connections.oficialService },
    forgetSessions: realtime.forgetEverywhere,
    sleep: options.sleep ?? ((ms) => setTimeout(ms)),
  }
  await mountApp(http, deps, { dist, checkResponses: options.checkResponses })
  const jobs = createJobs({ ...deps, backups }, mails, connections.sweepLinks)
  const member = new FleetMember(deps, fleet)
  const closeHttp = once(() => http.close())
  return {
    ...{ http, deps, idle },
    start: async () => {
      await bus.start()
      await member.join()
      realtime.joined()
      await repairTimeZones(deps)
      await eraseRestoredTitulares(deps)
      jobs.start()
      await runtime.start()
    },
    parts: [
      { name: 'sockets', close: () => realtime.close() },
      { name: 'http', close: () => waitAtMost(REQUESTS_MS, closeHttp()) },
      { name: 'bots', close: () => runtime.stop() },
      { name: 'node', close: () => waitAtMost(JOBS_MS, member.leave()) },
      { name: 'bus', close: () => bus.close() },
      ...jobs.parts,
      { name: 'requests', close: closeHttp },
      { name: 'database', close: async () => void (await Promise.all([...new Set([db, reservedDb])].map(end))) },
    ],
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => (running ??= work())
}

function openHttp({ log, trustProxy, settings, dist, requestsPerConta }: ServerOptions): Promise<FastifyInstance> {
  return createHttp({
    ...{ log, trustProxy, https: settings.urlPublica.startsWith('https://') },
    ...(dist === undefined ? {} : { dist }),
    ...(requestsPerConta === undefined ? {} : { requestsPerConta }),
  })
}

const end = (database: Database): Promise<void> => database.end()

/** The connectors, and what else the server needs of them. */
interface Connections extends Required<Pick<BotDeps, 'connectors' | 'phones' | 'eraseOutside'>> {
  readonly oficialService: Deps['oficial']
  readonly sweepLinks: () => Promise<number>
}

function createConnections(options: ServerOptions, bus: Bus): Connections {
  const { db, log, vault, settings, qrRotationMs, whatsappDir: dir } = options
  const simulador = createSimulador(qrRotationMs === undefined ? {} : { qrRotationMs })
  const { journal, wake } = createOficialJournal({ db, vault, bus })
  const oficial = createOficial({ baseUrl: options.oficialUrl, journal, log, ...options.oficialTimings })
  const navegador = createNavegador({
    dir: join(settings.dataDir, 'navegadores'),
    allowedPaths: parseChromePaths(options.chromePaths),
    runAsRoot: options.chromeAsRoot === true,
    log,
    ...options.navegador,
  })
  return {
    connectors: {
      simulador: simulador.factory,
      ...createWhatsappConnectors({ dir, url: options.whatsappUrl, mediaUrl: options.whatsappMidiaUrl, log }),
      navegador: navegador.factory,
      oficial: oficial.factory,
      ...options.connectors,
    },
    phones: simulador.phones,
    eraseOutside: navegador.forget,
    oficialService: { ...oficial.service, wake },
    sweepLinks: () => navegador.sweep((contas) => db.transaction('*', (tx) => listWithLink(tx, contas))),
  }
}

interface RuntimeParts {
  readonly realtime: RealtimeServer
  readonly crashPoint: CrashPoints
  readonly files: Files
  readonly ai: AiProvider
  readonly bus: Bus
  readonly node: string
  readonly connections: Connections
  readonly mailQueued: () => void
  readonly metrics: Metrics
}

function createRuntime(options: ServerOptions, parts: RuntimeParts): BotRuntime {
  const { db, reservedDb = db, clock, ids, log, vault, settings, timings } = options
  const { realtime, crashPoint, files, ai, bus, node, connections, mailQueued, metrics } = parts
  const { connectors, phones, eraseOutside } = connections
  return createBotRuntime({
    ...{ db, reservedDb, clock, ids, log, metrics, vault, mailQueued, realtime, settings, bus, ai, crashPoint },
    ...{ connectors, phones, eraseOutside },
    readMidia: createReadMidia({ db, files, log }),
    files: {
      store: (contaId, bytes, name) =>
        storeReceived({ db, files, ids, clock, realtime }, contaId, { bytes: Buffer.from(bytes), name }),
      read: (contaId, url) => readForSending({ db, files, log }, contaId, url),
    },
    node,
    exclusive: options.exclusive ?? false,
    ...(timings === undefined ? {} : { timings }),
  })
}

interface Jobs {
  readonly start: () => void
  readonly parts: readonly Closing[]
}

function createJobs(
  deps: Deps & { readonly backups: BackupJob },
  mails: MailWorker,
  sweepLinks: () => Promise<number>,
): Jobs {
  const periodic = [usageJob(deps), retentionJob({ ...deps, sweepLinks }), nodesJob(deps), totalsJob(deps)]
  const jobs = [mails, ...periodic, deps.backups]
  return {
    start: () => {
      mails.start()
      for (const job of periodic) job.start()
      deps.backups.begin()
    },
    parts: [{ name: 'jobs', close: () => waitAtMost(JOBS_MS, Promise.all(jobs.map((job) => job.stop()))) }],
  }
}

function createFiles(
  { s3, arquivosDir, sharedFiles = false, settings }: ServerOptions,
  crashPoint: CrashPoints,
): Files {
  const step = (instant: 'antes' | 'depois'): void =>
    crashPoint(instant === 'antes' ? 'upload.linha-gravada' : 'upload.arquivo-gravado')
  return createStorage({
    s3,
    arquivosDir: arquivosDir ?? join(settings.dataDir, 'arquivos'),
    sharedFiles,
    onWrite: step,
  })
}
