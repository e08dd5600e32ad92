import { CONECTORES } from '@balcao/contract/constants'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { createBus } from '#adapters/bus.ts'
import { parseChromePaths } from '#adapters/navegador/browser/executable.ts'
import { createTcpPrinter } from '#adapters/impressora/tcp-printer.ts'
import { createNavegador } from '#adapters/navegador/navegador.ts'
import { createOficial } from '#adapters/oficial/connection.ts'
import { createSimulador, createSimuladorPhone } from '#adapters/simulador/connector.ts'
import { createWebchat } from '#adapters/webchat/connector.ts'
import { createSmtpMailer } from '#adapters/smtp/mailer.ts'
import { createStorage } from '#adapters/storage.ts'
import { createPushSender } from '#adapters/web-push/sender.ts'
import { createWhatsappConnectors } from '#adapters/whatsapp/connector.ts'
import type { BotDeps } from '#bot/deps.ts'
import { type BotRuntime, createBotRuntime } from '#bot/runtime.ts'
import { folderId } from '#db/nodes/place-id.ts'
import type { Database } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { createKeptAssets } from '#http/kept-assets.ts'
import { createMetrics, type Metrics } from '#http/ops/metrics/metrics.ts'
import { createReadiness } from '#http/ops/ready.ts'
import { createHttp } from '#http/server.ts'
import type { Job } from '#lib/every.ts'
import { createCrashPoints, type CrashPoints } from '#lib/crash-points.ts'
import { waitAtMost } from '#lib/time.ts'
import { createReadMidia, storeReceived, readForSending } from '#modules/arquivos/index.ts'
import { createAuthenticate } from '#modules/auth/index.ts'
import { listWithLink } from '#modules/bot/index.ts'
import { searchIndexJob } from '#modules/busca/index.ts'
import { repairTimeZones } from '#modules/configuracao/index.ts'
import { createMailWorker, type MailWorker } from '#modules/emails/index.ts'
import { createFonteReader } from '#modules/fontes/index.ts'
import { PresenceRows } from '#modules/distribuicao/index.ts'
import { eraseRestoredTitulares, restoredJob } from '#modules/lgpd/index.ts'
import { createOficialJournal, createOficialOrders, createOficialPayments } from '#modules/oficial/index.ts'
import { FleetMember, NodeRegistry, nodesJob, TaskLeader } from '#modules/nos/index.ts'
import { readPixPicture } from '#modules/pedidos/index.ts'
import { pushJob } from '#modules/push/index.ts'
import type { DueWork } from '#modules/prazos/index.ts'
import type { Transcriber } from '#modules/transcricoes/index.ts'
import { CountsAnnouncer } from '#modules/leituras/index.ts'
import { retentionJob } from '#modules/retencao/index.ts'
import { BackupJob, totalsJob } from '#modules/sistema/index.ts'
import { createProtocolVersions, usageJob } from '#modules/usuarios/index.ts'
import { createChatFeed } from '#modules/webchat/index.ts'
import type { AiProvider } from '#ports/ai.ts'
import type { Bus, Leader, NodeLease } from '#ports/bus.ts'
import type { Files } from '#ports/files.ts'
import type { Embeddings } from '#ports/fontes/embeddings.ts'
import type { ChatFeed } from '#ports/webchat/chat.ts'
import type { RealtimeServer } from '#realtime/server.ts'
import { createSocketServer } from '#realtime/socket-server.ts'
import { createFileLinks } from '#security/file-links.ts'
import { createLoginDelays } from '#security/login-delays.ts'
import { createPasswords } from '#security/password.ts'
import { mountApp } from './app.ts'
import type { Closing } from './shutdown.ts'
import type { ComposedServer, ServerOptions } from './composition/options.ts'
import { createAssistant } from './composition/assistant.ts'
import { createDueWork } from './composition/timers.ts'

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
  const bus = createBus({ ...options, connect: options.connectDirect, node, seal: vault, crashPoint, metrics })
  const row = { ...options, id: node, bus, crashPoint, sessions: () => bots.sessions() }
  const fleet = new NodeRegistry({ reservedDb, clock, log, metrics, settings }, row)
  const mayCache = (): boolean => bus.complete() && fleet.known()
  const { authenticate, forgetSessions } = createAuthenticate({ db, clock, mayCache })
  const fileLinks = createFileLinks(options)
  const presence = new PresenceRows({ db, clock, log, fleet })
  const sockets = { authenticate, forgetSessions, fileLinks, bus, fleet, peopleHere: presence.changed }
  const realtime = createSocketServer(options, http, sockets)
  const mailer = options.mailer ?? createSmtpMailer(options.smtp ?? {})
  const connections = createConnections(options, bus)
  const conectores = CONECTORES.filter((name) => connections.connectors[name] !== undefined)
  if (!conectores.includes(settings.conectorPadrao)) throw new Error('CONECTOR_PADRAO: conector não instalado')
  const mails = createMailWorker({ ...options, mailer })
  const leader = new TaskLeader({ db }, fleet)
  const shared = {
    ...{ realtime, crashPoint, bus, fleet, leader, connections, metrics, mailQueued: () => mails.wake() },
    ...{ files: createFiles(options, crashPoint), ...createAssistant(options) },
  }
  const runtime = createRuntime(options, shared)
  const { bots, applyEventIn, sendEventIn, idle } = runtime
  const backups = new BackupJob({ clock, log }, options.backups)
  const readiness = createReadiness({ ...options, reservedDb, bots })
  const sleep = options.sleep ?? ((ms: number) => setTimeout(ms))
  const deps: Deps = {
    ...{ db, reservedDb, clock, ids: options.ids, log, metrics, crashPoint, readiness, vault, mailer },
    ...{ push: createPushSender({ ...options, ...settings }), printer: createTcpPrinter(options.printers) },
    ...{ fileLinks, settings, conectores, passwords: options.passwords ?? createPasswords() },
    ...{ keptAssets: createKeptAssets(db, dist), fontesQueued: () => fontes.wake() },
    ...{ ...shared, bots, applyEventIn, sendEventIn, authenticate, backups },
    ...{ simulador: createSimuladorPhone(runtime), oficial: connections.oficialService },
    ...{ forgetSessions: realtime.forgetEverywhere, lookForDueIn: (ms: number) => dueWork.lookIn(ms) },
    ...{ sleep, delays: createLoginDelays({ sleep }), webchat: { ...runtime, feed: connections.chatFeed } },
  }
  await mountApp(http, deps, { dist, checkResponses: options.checkResponses })
  // Before the first request: a restored copy may hold customers who were erased after it was made.
  http.addHook('onReady', async () => void (await eraseRestoredTitulares(deps, 'file')))
  const [{ dueWork, transcriber }, fontes] = [createDueWork(deps, options.timings?.pollMs), createFonteReader(deps)]
  const jobs = createJobs({ ...deps, realtime, backups, dueWork, fontes, transcriber }, mails, connections.sweepLinks)
  const member = new FleetMember(deps, fleet)
  const closeHttp = once(() => http.close())
  return {
    ...{ http, deps, idle },
    start: async () => {
      await bus.start()
      await member.join()
      await presence.start()
      realtime.joined()
      await repairTimeZones(deps)
      jobs.start()
      await runtime.start()
    },
    leave: () => runtime.leave(options.leaving),
    parts: closingParts({ ...deps, bus, jobs: jobs.parts, closeHttp, realtime, runtime, member, presence }),
  }
}

interface ClosingParts extends Pick<Deps, 'db' | 'reservedDb'> {
  readonly realtime: Pick<RealtimeServer, 'close'>
  readonly runtime: Pick<BotRuntime, 'stop'>
  readonly member: Pick<FleetMember, 'leave'>
  readonly presence: Pick<PresenceRows, 'stop'>
  readonly bus: { readonly close: () => Promise<void> }
  readonly jobs: readonly Closing[]
  readonly closeHttp: () => Promise<void>
}

function closingParts(parts: ClosingParts): readonly Closing[] {
  const { db, reservedDb, realtime, runtime, member, presence, bus, jobs, closeHttp } = parts
  return [
    { name: 'sockets', close: () => realtime.close() },
    { name: 'http', close: () => waitAtMost(REQUESTS_MS, closeHttp()) },
    { name: 'bots', close: () => runtime.stop() },
    { name: 'presence', close: () => waitAtMost(JOBS_MS, presence.stop()) },
    { name: 'node', close: () => waitAtMost(JOBS_MS, member.leave()) },
    { name: 'bus', close: () => bus.close() },
    ...jobs,
    { name: 'requests', close: closeHttp },
    { name: 'database', close: async () => void (await Promise.all([...new Set([db, reservedDb])].map(end))) },
  ]
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

interface Connections extends Required<Pick<BotDeps, 'connectors' | 'phones' | 'eraseOutside' | 'inboundArrived'>> {
  readonly oficialService: Deps['oficial']
  readonly chatFeed: ChatFeed
  readonly sweepLinks: () => Promise<number>
}

function createConnections(options: ServerOptions, bus: Bus): Connections {
  const { db, log, vault, settings, qrRotationMs, whatsappDir: dir } = options
  const version = createProtocolVersions(options)
  const simulador = createSimulador(qrRotationMs === undefined ? {} : { qrRotationMs })
  const { journal, wake, arrived: inboundArrived } = createOficialJournal({ db, vault, log, bus })
  const oficial = createOficial({
    ...{ baseUrl: options.oficialUrl, journal, log },
    ...{ payments: createOficialPayments({ db }), orders: createOficialOrders({ db }) },
    ...options.oficialTimings,
  })
  const chatFeed = createChatFeed({ db, log, bus })
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
      ...createWhatsappConnectors({ dir, url: options.whatsappUrl, mediaUrl: options.whatsappMidiaUrl, version, log }),
      navegador: navegador.factory,
      oficial: oficial.factory,
      webchat: createWebchat(chatFeed),
      ...options.connectors,
    },
    phones: simulador.phones,
    eraseOutside: navegador.forget,
    ...{ inboundArrived, chatFeed },
    oficialService: { ...oficial.service, wake },
    sweepLinks: () =>
      navegador.sweep((linhas) => db.transaction('*', (tx) => listWithLink(tx, linhas, folderId(settings.dataDir)))),
  }
}

interface RuntimeParts {
  readonly realtime: RealtimeServer
  readonly crashPoint: CrashPoints
  readonly files: Files
  readonly ai: AiProvider
  readonly embeddings: Embeddings
  readonly bus: Bus
  readonly fleet: NodeLease
  readonly leader: Leader
  readonly connections: Connections
  readonly mailQueued: () => void
  readonly metrics: Metrics
}

function createRuntime(options: ServerOptions, parts: RuntimeParts): BotRuntime {
  const { db, reservedDb = db, clock, ids, log, vault, settings, timings } = options
  const { realtime, crashPoint, files, ai, embeddings, bus, fleet, leader, connections, mailQueued, metrics } = parts
  const { connectors, phones, eraseOutside, inboundArrived } = connections
  return createBotRuntime({
    ...{ db, reservedDb, clock, ids, log, metrics, vault, mailQueued, realtime, settings, bus, fleet, ai },
    embeddings,
    ...{ leader, crashPoint, connectors, phones, eraseOutside, inboundArrived },
    readMidia: createReadMidia({ db, files, log }),
    files: {
      store: (contaId, bytes, name) =>
        storeReceived({ db, files, ids, clock, realtime }, contaId, { bytes: Buffer.from(bytes), name }),
      read: async (contaId, url) => readPixPicture(url) ?? readForSending({ db, files, log }, contaId, url),
    },
    ...(timings === undefined ? {} : { timings }),
  })
}

function createJobs(
  deps: Deps & {
    readonly realtime: RealtimeServer
    readonly backups: BackupJob
    readonly dueWork: DueWork
    readonly fontes: Job
    readonly transcriber: Transcriber
  },
  mails: MailWorker,
  sweepLinks: () => Promise<number>,
) {
  const retention = retentionJob({ ...deps, sweepLinks })
  const periodic = [
    usageJob(deps),
    retention,
    nodesJob(deps),
    totalsJob(deps),
    restoredJob(deps),
    searchIndexJob(deps),
    pushJob(deps),
    new CountsAnnouncer(deps, deps.realtime),
    deps.dueWork,
    deps.fontes,
  ]
  const jobs = [mails, ...periodic, deps.transcriber, deps.backups]
  return {
    start: () => {
      mails.start()
      for (const job of periodic) job.start()
      deps.backups.begin(deps.leader.every)
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
