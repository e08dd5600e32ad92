import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectionTarget, createPool } from '#db/connection.ts'
import { lockDataDir } from '#db/embedded/lock.ts'
import { ensureDataDir, startEmbedded } from '#db/embedded/supervisor.ts'
import { APP_ROLE, migrate } from '#db/migrate.ts'
import { checkSealedValues } from '#db/sealed-values.ts'
import { holdSingleNode } from '#db/single-node.ts'
import { createDatabase } from '#db/transaction.ts'
import { ensureFirstAdmin } from '#modules/auth/index.ts'
import { loadAppSecret } from '#security/app-secret.ts'
import { createVault } from '#security/vault.ts'
import type { Deps } from './deps.ts'
import { type Env, parseEnv } from './env.ts'
import { composeServer } from './composition.ts'
import { createIds } from './ids.ts'
import { createLog } from './log.ts'
import { type Closing, installShutdown } from './shutdown.ts'

const DIST = join(import.meta.dirname, '..', '..', 'web', 'dist')
const CONNECTIONS = 16
/** One each for renewing leases, taking leases and readiness. */
const RESERVED_CONNECTIONS = 3

function say(sentence: string): void {
  console.log(`balcão · ${sentence}`)
}

interface OpenedDatabase {
  readonly target: ConnectionTarget
  /** Closed after the server. */
  readonly parts: readonly Closing[]
}

/** Opens the embedded database or the one of DATABASE_URL. A lock reserves it for this process. */
async function openDatabase(env: Env): Promise<OpenedDatabase> {
  ensureDataDir(env.dataDir)
  const lock = await lockDataDir(env.dataDir)
  const lockPart: Closing = { name: 'lock', close: () => lock.release() }
  if (env.DATABASE_URL !== undefined) {
    const target = { url: env.DATABASE_URL }
    const hold = await holdSingleNode(target)
    return { target, parts: [{ name: 'hold', close: () => hold.release() }, lockPart] }
  }
  const embedded = await startEmbedded({ dataDir: env.dataDir, say })
  return { target: embedded.target, parts: [{ name: 'postgres', close: () => embedded.stop() }, lockPart] }
}

/** Reports an unreachable bucket at startup. The rest of the product works without it. */
async function tryBucket({ files, ids }: Pick<Deps, 'files' | 'ids'>): Promise<void> {
  try {
    await files.read(ids.uuid(), `${'0'.repeat(32)}.png`)
  } catch (error) {
    say(`o armazenamento S3 não respondeu (${error instanceof Error ? error.message : String(error)}): confira S3_*`)
  }
}

async function main(): Promise<void> {
  const env = parseEnv(process.env)
  const { log, flushThrottle } = createLog(env.LOG_LEVEL)
  process.once('exit', flushThrottle)
  if (env.TRUST_PROXY === 'true') say('TRUST_PROXY=true vale por um só proxy: escreva quantos são, ou seus endereços')
  const { target, parts } = await openDatabase(env)
  const owner = createPool(target, { max: 1 })
  await migrate(owner)
  const vault = createVault(loadAppSecret(env.dataDir, env.APP_SECRET))
  await checkSealedValues(owner, vault)
  await owner.end()

  const clock = { now: () => new Date() }
  const server = await composeServer({
    db: createDatabase({ pool: createPool(target, { role: APP_ROLE, max: CONNECTIONS }), log }),
    reservedDb: createDatabase({ pool: createPool(target, { role: APP_ROLE, max: RESERVED_CONNECTIONS }), log }),
    clock,
    ids: createIds(clock),
    log,
    vault,
    smtp: { url: env.SMTP_URL, de: env.SMTP_DE },
    settings: {
      urlPublica: env.urlPublica,
      conectorPadrao: env.CONECTOR_PADRAO,
      dataDir: env.dataDir,
      metricsToken: env.METRICS_TOKEN ?? null,
    },
    trustProxy: env.trustProxy,
    ...(existsSync(join(DIST, 'index.html')) ? { dist: DIST } : {}),
    checkResponses: false,
    arquivosDir: env.arquivosDir,
    s3: env.s3,
    geminiUrl: env.GEMINI_BASE_URL,
    crashPoint: env.FALHA,
    whatsappUrl: env.WHATSAPP_WS_URL,
    oficialUrl: env.WHATSAPP_CLOUD_BASE_URL,
    chromePaths: env.CHROME_PATHS,
    chromeAsRoot: env.NAVEGADOR_COMO_ROOT === 'true' || env.NAVEGADOR_COMO_ROOT === '1',
  })
  const admin = await ensureFirstAdmin(server.deps, { email: env.ADMIN_EMAIL, senha: env.ADMIN_SENHA })
  installShutdown(log, [...server.parts, ...parts])
  await server.http.listen({ port: env.PORT, host: env.HOST })
  await server.start()
  if (env.s3 !== undefined) await tryBucket(server.deps)

  say(`no ar em ${env.urlPublica}`)
  if (admin.generatedPassword !== undefined) {
    say(`administrador: ${admin.email} · senha (mostrada só agora): ${admin.generatedPassword}`)
  }
}

main().catch((error: unknown) => {
  console.error(`balcão · não foi possível iniciar: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
