import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { copyInProcess } from '#db/backup/make-copy.ts'
import { createPool, type PoolOptions } from '#db/connection.ts'
import { migrate } from '#db/migrate/migrate.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { DatabaseClock } from '#db/nodes/database-clock.ts'
import { connectionName } from '#db/nodes/direct-connection.ts'
import { openDatabase } from '#db/open-database.ts'
import { checkSealedValues } from '#db/sealed-values.ts'
import { createDatabase, type Database } from '#db/transaction.ts'
import { collectWhenIdle } from '#http/ops/idle-memory.ts'
import { createCrashPoints } from '#lib/crash-points.ts'
import { ensureFirstAdmin } from '#modules/auth/index.ts'
import type { BackupPlan } from '#modules/sistema/index.ts'
import { loadAppSecret } from '#security/app-secret.ts'
import { createVault } from '#security/vault.ts'
import type { Deps } from './deps.ts'
import { type Env, parseEnv } from './env.ts'
import { composeServer } from './composition.ts'
import type { ComposedServer, ServerOptions } from './composition/options.ts'
import { createIds } from './ids.ts'
import { createLog } from './log.ts'
import { installShutdown } from './shutdown.ts'

const DIST = join(import.meta.dirname, '..', '..', 'web', 'dist')
/**
 * Connections for the row of the node, leases and readiness. A connection without an answer for 5 s is replaced, before
 * the row of the node expires.
 */
const RESERVED = { max: 3, answerMs: 5_000 }

const REDIS_UNUSED = 'REDIS_URL foi informado e não é usado: o PostgreSQL leva os recados entre os nós.'

function say(sentence: string): void {
  console.log(`balcão · ${sentence}`)
}

/** Reports an unreachable bucket at startup. The rest of the product works without it. */
async function tryBucket({ files, ids }: Pick<Deps, 'files' | 'ids'>): Promise<void> {
  try {
    await files.read(ids.uuid(), `${'0'.repeat(32)}.png`)
  } catch (error) {
    say(`o armazenamento S3 não respondeu (${error instanceof Error ? error.message : String(error)}): confira S3_*`)
  }
}

/** Prints the password immediately, because a later step of the start may fail and no later start shows it. */
async function createFirstAdmin(deps: Deps, env: Env): Promise<void> {
  const { email, generatedPassword } = await ensureFirstAdmin(deps, { email: env.ADMIN_EMAIL, senha: env.ADMIN_SENHA })
  if (generatedPassword === undefined) return
  say(`administrador: ${email} · senha (mostrada só agora): ${generatedPassword}`)
}

function backupPlan({ copiaDir, COPIA_HORAS, COPIA_MANTER, BALCAO_BACKUP_CHAVE }: Env): BackupPlan | undefined {
  if (copiaDir === undefined) return undefined
  const encrypted = BALCAO_BACKUP_CHAVE !== undefined
  if (!encrypted) say('as cópias de COPIA_DIR ficam sem cifra: defina BALCAO_BACKUP_CHAVE')
  return { dir: copiaDir, hours: COPIA_HORAS, keep: COPIA_MANTER, encrypted, make: copyInProcess }
}

/** Follows the database before the first id, because the ids of a process never go back. */
async function createClock(owner: Pool, { RELOGIO_MS }: Env, log: FastifyBaseLogger): Promise<DatabaseClock> {
  const clock = new DatabaseClock({ system: () => Date.now() + RELOGIO_MS, log })
  await clock.follow(owner)
  return clock
}

async function listen(server: ComposedServer, env: Env): Promise<void> {
  await server.http.listen({ port: env.PORT, host: env.HOST })
  await server.start()
}

function configuredOptions(env: Env): Omit<ServerOptions, 'db' | 'clock' | 'ids' | 'log' | 'vault'> {
  const { dataDir } = env
  return {
    smtp: { url: env.SMTP_URL, de: env.SMTP_DE },
    settings: {
      iaLoopback: env.IA_LOOPBACK === '1',
      urlPublica: env.urlPublica,
      conectorPadrao: env.CONECTOR_PADRAO,
      dataDir,
      metricsToken: env.METRICS_TOKEN ?? null,
    },
    trustProxy: env.trustProxy,
    requestsPerConta: env.REQUISICOES_POR_CONTA,
    ...(existsSync(join(DIST, 'index.html')) ? { dist: DIST } : {}),
    checkResponses: false,
    arquivosDir: env.arquivosDir,
    sharedFiles: env.sharedFiles,
    s3: env.s3,
    geminiUrl: env.GEMINI_BASE_URL,
    openaiUrl: env.OPENAI_BASE_URL,
    anthropicUrl: env.ANTHROPIC_BASE_URL,
    crashPoint: env.FALHA,
    muted: env.RECADOS === 'mudos',
    nodeName: env.noNome,
    timings: { startsPerS: env.INICIOS_POR_S },
    leaving: { waitMs: env.PARADA_ESPERA_S * 1_000, drainMs: env.DRENAGEM_S * 1_000 },
    backups: backupPlan(env),
    whatsappUrl: env.WHATSAPP_WS_URL,
    oficialUrl: env.WHATSAPP_CLOUD_BASE_URL,
    pushServices: env.pushServices,
    pushLoopback: env.PUSH_LOOPBACK === '1',
    sites: { loopback: env.FONTES_LOOPBACK === '1' },
    printers: { networks: env.printerNetworks, loopback: env.IMPRESSORA_LOOPBACK === '1' },
    chromePaths: env.CHROME_PATHS,
    chromeAsRoot: env.NAVEGADOR_COMO_ROOT === 'true' || env.NAVEGADOR_COMO_ROOT === '1',
  }
}

async function main(): Promise<void> {
  const env = parseEnv(process.env)
  const { log, flush } = createLog(env.LOG_LEVEL, { node: env.noNome })
  process.once('exit', flush)
  if (env.TRUST_PROXY === 'true') say('TRUST_PROXY=true vale por um só proxy: escreva quantos são, ou seus endereços')
  if (env.REDIS_URL !== undefined) say(REDIS_UNUSED)
  const { dataDir, DATABASE_URL: url } = env
  const { target, poolTarget, primary, exclusive, taken, parts } = await openDatabase({
    dataDir,
    url,
    use: 'shared',
    say,
  })
  const owner = createPool(target, { max: 1 })
  await migrate(owner, { crashPoint: createCrashPoints(env.FALHA) })
  const vault = createVault(loadAppSecret(dataDir, env.APP_SECRET, say))
  await checkSealedValues(owner, vault)
  const clock = await createClock(owner, env, log)
  await owner.end()

  const node = randomUUID()
  const applicationName = connectionName(node)
  const condemned = Promise.withResolvers<void>()
  const connect = (options: PoolOptions): Database =>
    createDatabase({ pool: createPool(poolTarget, { role: APP_ROLE, applicationName, ...options }), log })
  const server = await composeServer({
    ...{ db: connect({ max: env.DB_CONEXOES }), reservedDb: connect(RESERVED) },
    ...{ clock, ids: createIds(clock), log, vault, exclusive },
    ...{ node, condemned: condemned.resolve },
    ...(primary === null ? {} : { connectDirect: () => primary.connect(applicationName) }),
    ...configuredOptions(env),
  })
  await createFirstAdmin(server.deps, env)
  const started = listen(server, env)
  // A part that closes during the start would make the start fail, and the process would end with 1.
  const shutdown = installShutdown(
    log,
    [{ name: 'start', close: () => started }, ...server.parts, ...parts],
    server.leave,
  )
  void Promise.race([taken, condemned.promise]).then(() => {
    log.fatal('another process took over, shutting down')
    return shutdown(1)
  })
  await started
  collectWhenIdle(log)
  if (env.s3 !== undefined) await tryBucket(server.deps)

  say(`no ar em ${env.urlPublica}`)
}

main().catch((error: unknown) => {
  console.error(`balcão · não foi possível iniciar: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
