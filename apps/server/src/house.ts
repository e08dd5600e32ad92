import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createDiskFiles } from '#adapters/disco/files.ts'
import { createGemini } from '#adapters/gemini/gemini.ts'
import { createMemoryBus } from '#adapters/memoria/bus.ts'
import { createNavegador, type NavegadorOptions } from '#adapters/navegador/navegador.ts'
import { createS3Files, type S3Options } from '#adapters/s3/files.ts'
import { createOficial } from '#adapters/oficial/oficial.ts'
import type { TemposOficial } from '#adapters/oficial/sessao.ts'
import { createSimulador } from '#adapters/simulador/connector.ts'
import { createWhatsapp } from '#adapters/whatsapp/connector.ts'
import { createFalha, type Falha } from '#bot/falha.ts'
import { listComVinculo } from '#bot/bots-repository.ts'
import { createBotRuntime } from '#bot/runtime.ts'
import type { TemposBot } from '#bot/runtime-deps.ts'
import type { Database } from '#db/transaction.ts'
import type { Deps, Settings } from '#deps.ts'
import { createHttp } from '#http/server.ts'
import { createLerMidia, guardarRecebido, lerParaEnviar } from '#modules/arquivos/index.ts'
import { createAuthenticate } from '#modules/auth/index.ts'
import { createMailWorker } from '#modules/emails/index.ts'
import { reapagarTitulares } from '#modules/lgpd/index.ts'
import { createDiarioOficial } from '#modules/oficial/index.ts'
import { createFaxina } from '#modules/retencao/index.ts'
import { createBatimento } from '#modules/sistema/index.ts'
import { createRegistrador } from '#modules/usuarios/index.ts'
import type { ProvedorIa } from '#ports/ai.ts'
import type { Clock } from '#ports/clock.ts'
import type { Files } from '#ports/files.ts'
import type { Ids } from '#ports/ids.ts'
import type { Mailer } from '#ports/mailer.ts'
import { createRealtime } from '#realtime/server.ts'
import type { Cofre } from '#security/cofre.ts'
import { createGate } from '#security/gate.ts'
import { mountApp } from './app.ts'
import { AppError } from './errors.ts'
import type { Closing } from './shutdown.ts'

export interface HouseOptions {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: FastifyBaseLogger
  readonly cofre: Cofre
  readonly mailer: Mailer
  readonly settings: Settings
  readonly trustProxy: boolean | string
  readonly dist?: string
  readonly conferirRespostas?: boolean
  /** Default: `arquivos` in the data folder. */
  readonly arquivosDir?: string
  /** S3 bucket instead of that folder, needed when several nodes share the files. */
  readonly s3?: S3Options | undefined
  /** Without `/v1beta`. Default: Google's. */
  readonly geminiUrl?: string | undefined
  readonly ai?: ProvedorIa
  readonly falha?: string | undefined
  readonly qrGiraMs?: number
  /** WhatsApp server for tests. Refused unless it is on this machine. */
  readonly whatsappUrl?: string | undefined
  /** Media server for tests. */
  readonly whatsappMidiaUrl?: string | undefined
  /** Graph API for tests and proxies. */
  readonly oficialUrl?: string | undefined
  readonly temposOficial?: TemposOficial
  readonly navegador?: Partial<NavegadorOptions>
  readonly tempos?: TemposBot
}

export interface House {
  readonly http: FastifyInstance
  readonly deps: Deps
  readonly start: () => Promise<void>
  readonly ocioso: () => Promise<void>
  readonly partes: readonly Closing[]
}

/**
 * Each socket login reads the database. At most 4 run at once, so a flood of bad tokens delays only other socket
 * logins.
 */
const PORTA_DOS_SOCKETS = { atOnce: 4, waiting: 2_000, full: () => new AppError('servidorOcupado') }

export async function createHouse(options: HouseOptions): Promise<House> {
  const { db, clock, ids, log, cofre, mailer, settings, trustProxy, dist } = options
  const http = await createHttp({ log, trustProxy, ...(dist === undefined ? {} : { dist }) })
  const acesso = createAuthenticate({ db, clock })
  const porteiro = createGate(PORTA_DOS_SOCKETS)
  const realtime = createRealtime({
    httpServer: http.server,
    authenticate: async (token) => {
      const sessao = await porteiro.run(() => acesso.authenticate(token))
      // After a restart all browsers reconnect by socket first. Their next HTTP requests count per token instead of
      // per IP.
      if (sessao !== null) http.knownTokens.add(token)
      return sessao
    },
    clock,
    log,
    origens: [new URL(settings.urlPublica).origin],
  })
  const falha = createFalha(options.falha)
  const files = createFiles(options, falha)
  const ai = options.ai ?? createGemini({ baseUrl: options.geminiUrl, log })
  const simulado = createSimulador(options.qrGiraMs === undefined ? {} : { qrGiraMs: options.qrGiraMs })
  const bus = createMemoryBus()
  const { diario, acordar } = createDiarioOficial({ db, cofre, bus })
  const oficial = createOficial({ baseUrl: options.oficialUrl, diario, log, ...options.temposOficial })
  const navegador = createNavegador({ dir: join(settings.dataDir, 'navegadores'), log, ...options.navegador })
  const runtime = createBotRuntime({
    ...{ db, clock, ids, log, cofre, realtime, settings, bus },
    ai,
    lerMidia: createLerMidia({ db, files, log }),
    arquivos: {
      guardar: (contaId, bytes, nome) =>
        guardarRecebido({ db, files, ids, clock, realtime }, contaId, { bytes: Buffer.from(bytes), nome }),
      ler: (contaId, url) => lerParaEnviar({ db, files, log }, contaId, url),
    },
    connectors: {
      simulador: simulado.factory,
      whatsapp: createWhatsapp({ url: options.whatsappUrl, midiaUrl: options.whatsappMidiaUrl, log }),
      navegador: navegador.factory,
      oficial: oficial.factory,
    },
    esquecerFora: navegador.esquecer,
    telefone: simulado.telefone,
    falha,
    no: randomUUID(),
    exclusivo: true,
    ...(options.tempos === undefined ? {} : { tempos: options.tempos }),
  })
  const { bots, simulador, acontecerEm } = runtime
  const deps: Deps = {
    db,
    clock,
    ids,
    log,
    cofre,
    mailer,
    files,
    settings,
    realtime,
    bots,
    simulador,
    ai,
    oficial: { ...oficial.servico, acordar },
    acontecerEm,
    ...acesso,
  }
  await mountApp(http, deps, { dist, conferirRespostas: options.conferirRespostas })
  const correio = createMailWorker(deps)
  const registrador = createRegistrador(deps)
  const faxina = createFaxina({
    ...deps,
    recolherVinculos: () => navegador.recolher((contas) => db.transaction('*', (tx) => listComVinculo(tx, contas))),
  })
  const batimento = createBatimento(deps)
  return {
    http,
    deps,
    ocioso: runtime.ocioso,
    start: async () => {
      await reapagarTitulares(deps)
      correio.start()
      registrador.start()
      faxina.start()
      await batimento.start()
      await runtime.start()
    },
    partes: [
      { nome: 'sockets', close: () => realtime.close() },
      { nome: 'http', close: () => http.close() },
      { nome: 'bots', close: () => runtime.stop() },
      { nome: 'mail', close: () => correio.stop() },
      { nome: 'numbers', close: () => registrador.stop() },
      { nome: 'retention', close: () => faxina.stop() },
      { nome: 'heartbeat', close: () => batimento.stop() },
      { nome: 'database', close: () => db.end() },
    ],
  }
}

function createFiles({ s3, arquivosDir, settings }: HouseOptions, falha: Falha): Files {
  const passo = (instante: 'antes' | 'depois'): void =>
    falha(instante === 'antes' ? 'upload.linha-gravada' : 'upload.arquivo-gravado')
  if (s3 !== undefined) return createS3Files({ ...s3, passo })
  return createDiskFiles({ dir: arquivosDir ?? join(settings.dataDir, 'arquivos'), passo })
}
