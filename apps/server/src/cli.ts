import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { RestoreDecision } from '@balcao/contract/entities/sistema-admin'
import type { Pool } from 'pg'
import { type Env, parseEnv } from './env.ts'
import { createStorage } from '#adapters/storage.ts'
import { loadAppSecret } from '#security/app-secret.ts'
import { createPasswords } from '#security/password.ts'
import { createVault } from '#security/vault.ts'
import { type ConnectionTarget, createPool } from '#db/connection.ts'
import { findEmbedded } from '#db/embedded/supervisor.ts'
import { exportDatabase } from '#db/backup/export.ts'
import { restoreFiles } from '#db/backup/copy-files.ts'
import { importDatabase } from '#db/backup/import.ts'
import { makeCopy, readCopyParts } from '#db/backup/make-copy.ts'
import { recordBackup } from '#db/backup/record-backup.ts'
import { APP_ROLE, migrate } from '#db/migrate.ts'
import { openDatabase } from '#db/open-database.ts'
import { checkSealedValues, resealValues } from '#db/sealed-values.ts'
import { createDatabase } from '#db/transaction.ts'
import { resetAdminPassword } from '#modules/auth/index.ts'
import { releaseRestored } from '#modules/sistema/index.ts'
import { NO_REALTIME } from '#realtime/no-realtime.ts'
import { createIds } from './ids.ts'
import { createLog } from './log.ts'

const USAGE = `Uso: npm run db:export -- <arquivo>
     npm run db:import -- <arquivo> [--ligar]
     npm run db:liberar -- --descartar | --enviar`
const USAGE_SENHA = 'Uso: npm run admin:senha -- <e-mail>'

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

/** Runs `fn` on the database. Throws if a running Balcão holds the data folder or the external database. */
async function withDatabase<T>(env: Env, fn: (target: ConnectionTarget) => Promise<T>): Promise<T> {
  const { target, parts } = await openDatabase({ dataDir: env.dataDir, url: env.DATABASE_URL, say })
  try {
    return await fn(target)
  } finally {
    for (const { close } of parts) await close()
  }
}

/** Runs `fn` on the database, also beside a running Balcão, through the private socket of its PostgreSQL. */
async function besideServer<T>(env: Env, fn: (target: ConnectionTarget) => Promise<T>): Promise<T> {
  if (env.DATABASE_URL !== undefined) return fn({ url: env.DATABASE_URL })
  if (!existsSync(env.dataDir)) throw new Error(`Não há dados em ${env.dataDir}.`)
  const running = await findEmbedded({ dataDir: env.dataDir })
  return running === null ? withDatabase(env, fn) : fn(running)
}

const withOwner = <T>(env: Env, fn: (owner: Pool) => Promise<T>): Promise<T> =>
  withDatabase(env, (target) => withPool(createPool(target, { max: 2 }), fn))

async function withPool<T>(pool: Pool, fn: (owner: Pool) => Promise<T>): Promise<T> {
  try {
    return await fn(pool)
  } finally {
    await pool.end()
  }
}

async function exportTo(env: Env, file: string): Promise<void> {
  const key = env.BALCAO_BACKUP_CHAVE ?? null
  const { tabelas } = await besideServer(env, (target) =>
    withPool(createPool(target, { max: 2 }), async (owner) => {
      const done = await exportDatabase(owner, file, key)
      await recordBackup(owner, file, { tabelas: done.tabelas, cifrada: key !== null })
      return done
    }),
  )
  const cipher =
    key === null ? 'SEM CIFRA: para cifrar, informe BALCAO_BACKUP_CHAVE' : 'cifrado com BALCAO_BACKUP_CHAVE'
  say(`Exportadas ${total(tabelas)} linhas de ${tabelas.length} tabelas para ${file} (${cipher}).`)
  const secret = env.APP_SECRET === undefined ? join(env.dataDir, 'app-secret') : 'APP_SECRET'
  say(`Guarde também os arquivos, que não estão nele: ${env.s3 === undefined ? env.arquivosDir : 'o bucket'}.`)
  say(`Guarde também ${join(env.dataDir, 'apagados')}, se existir: são os clientes que pediram para ser esquecidos.`)
  say(`Guarde também ${secret}: sem ela, as chaves de serviços e as sessões do WhatsApp não se abrem em outro lugar.`)
}

/** The scheduled copy. The server runs this command in a child process. */
async function copy(env: Env): Promise<void> {
  const { copiaDir: dir, dataDir, COPIA_MANTER: keep } = env
  if (dir === undefined) throw new Error('Defina COPIA_DIR: a pasta das cópias.')
  const passphrase = env.BALCAO_BACKUP_CHAVE ?? null
  const { file, tabelas, files, missing } = await besideServer(env, (target) =>
    withPool(createPool(target, { max: 1 }), (owner) =>
      makeCopy({ owner, files: createStorage(env), dir, keep, passphrase, dataDir, now: new Date() }),
    ),
  )
  say(`Cópia em ${file}: ${total(tabelas)} linhas e ${files} arquivos.`)
  if (missing > 0) say(`Arquivos que o banco conhece e que não existem mais: ${missing}.`)
}

async function importFrom(env: Env, file: string, consent: boolean): Promise<void> {
  if (!existsSync(file)) throw new Error(`O arquivo ${file} não existe.`)
  const { tabelas, criadoEm, waiting } = await withOwner(env, async (owner) => {
    // First, so that a wrong key leaves the database empty. The sweep deletes files without a row.
    await importFiles(env, file)
    return importDatabase(owner, file, env.BALCAO_BACKUP_CHAVE ?? null, { consent })
  })
  say(`Importadas ${total(tabelas)} linhas em ${tabelas.length} tabelas.`)
  const { mensagens, emails, bots } = waiting
  say(`Cópia de ${criadoEm}. Mensagens à espera: ${mensagens}. E-mails: ${emails}. Bots ligados: ${bots}.`)
  if (consent) say('Tudo isso sai e liga quando o servidor iniciar (--ligar).')
  else {
    say('Nada sai e nenhum bot liga até você decidir, em Administração → Sistema ou aqui:')
    say('npm run db:liberar -- --descartar   (o que esperava fica marcado como não enviado, e os bots ligam)')
    say('npm run db:liberar -- --enviar      (o que esperava sai, e os bots ligam)')
  }
  const secret = join(env.dataDir, 'app-secret')
  if (env.APP_SECRET === undefined && !existsSync(secret))
    say(`Antes de iniciar, copie para ${secret} o da instalação da cópia: sem ele o servidor não inicia.`)
  if (existsSync(join(env.dataDir, 'apagados'))) return
  say(
    `Clientes apagados depois desta cópia voltam com ela. Antes de iniciar, copie o arquivo apagados para ${env.dataDir}.`,
  )
}

/** Restores the files and erasure marks that a scheduled copy has beside its export. */
async function importFiles(env: Env, file: string): Promise<void> {
  const { list, filesDir, marks } = await readCopyParts(file, dirname(file))
  if (list !== null) {
    const passphrase = env.BALCAO_BACKUP_CHAVE ?? null
    const { restored, missing } = await restoreFiles(list, { dir: filesDir, to: createStorage(env), passphrase })
    say(`Arquivos restaurados: ${restored}.`)
    if (missing > 0) say(`Arquivos da lista que não estão em ${filesDir}: ${missing}.`)
  }
  const apagados = join(env.dataDir, 'apagados')
  if (marks !== null && !existsSync(apagados)) await copyFile(marks, apagados)
}

function total(tables: readonly { readonly linhas: number }[]): number {
  return tables.reduce((sum, { linhas }) => sum + linhas, 0)
}

async function reseal(env: Env): Promise<void> {
  const vault = createVault(loadAppSecret(env.dataDir, env.APP_SECRET))
  const refeitos = await withOwner(env, async (owner) => {
    await migrate(owner)
    await checkSealedValues(owner, vault)
    return resealValues(owner, vault)
  })
  for (const [key, values] of refeitos) say(`${values} valores da chave ${key} foram selados de novo.`)
  if (refeitos.size === 0) say('Tudo já está selado com a chave mais nova.')
  say('Se houver clientes apagados (privacidade), guarde a chave antiga: é com ela que as marcas deles foram feitas.')
}

/** Locks folder and database, so a running Balcão refuses the command. */
async function adminPassword(env: Env, email: string): Promise<void> {
  if (env.DATABASE_URL === undefined && !existsSync(env.dataDir)) throw new Error(`Não há dados em ${env.dataDir}.`)
  const { target, poolTarget, parts } = await openDatabase({ dataDir: env.dataDir, url: env.DATABASE_URL, say })
  try {
    await withPool(createPool(target, { max: 1 }), (owner) => migrate(owner))
    const clock = { now: () => new Date() }
    const { log } = createLog(env.LOG_LEVEL)
    const admin = await withPool(createPool(poolTarget, { role: APP_ROLE, max: 1 }), (pool) =>
      resetAdminPassword(
        { db: createDatabase({ pool, log }), clock, ids: createIds(clock), passwords: createPasswords() },
        email,
      ),
    )
    say(`administrador: ${admin.email} · senha nova (mostrada só agora): ${admin.senha}`)
  } finally {
    for (const { close } of parts) await close()
  }
}

/** A running server finds the released bots and mails in its next rounds. It publishes nothing to open panels. */
async function release(env: Env, decision: RestoreDecision): Promise<void> {
  const clock = { now: () => new Date() }
  const { mensagens, emails } = await besideServer(env, async (target) => {
    const log = { error: (_: object, message: string) => say(message) }
    const db = createDatabase({ pool: createPool(target, { role: APP_ROLE, max: 1 }), log })
    try {
      const deps = { db, clock, ids: createIds(clock), realtime: NO_REALTIME, mailQueued: () => {} }
      return await releaseRestored(deps, decision, null)
    } finally {
      await db.end()
    }
  })
  say(`${decision === 'descartar' ? 'Descartado' : 'Liberado'}. Mensagens: ${mensagens}. E-mails: ${emails}.`)
  say('Os bots que estavam ligados voltam em segundos, ou quando o servidor iniciar.')
}

function decisionOf(flag: string | undefined): RestoreDecision {
  if (flag === '--descartar') return 'descartar'
  if (flag === '--enviar') return 'enviar'
  throw new Error(USAGE)
}

async function main([command, first, second]: readonly string[]): Promise<void> {
  if (command === 'reseal') return reseal(parseEnv(process.env))
  if (command === 'copia') return copy(parseEnv(process.env))
  if (command === 'liberar') return release(parseEnv(process.env), decisionOf(first))
  if (command === 'senha') {
    if (first === undefined) throw new Error(USAGE_SENHA)
    return adminPassword(parseEnv(process.env), first)
  }
  if (first === undefined || (second !== undefined && second !== '--ligar')) throw new Error(USAGE)
  const env = parseEnv(process.env)
  if (command === 'export' && second === undefined) return exportTo(env, resolve(first))
  if (command === 'import') return importFrom(env, resolve(first), second === '--ligar')
  throw new Error(USAGE)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
