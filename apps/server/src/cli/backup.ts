import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import type { Pool } from 'pg'
import type { RestoreDecision } from '@balcao/contract/entities/sistema-admin'
import { createStorage } from '#adapters/storage.ts'
import { createPool } from '#db/connection.ts'
import { restoreFiles } from '#db/backup/copy-files.ts'
import { exportDatabase } from '#db/backup/export.ts'
import { importDatabase } from '#db/backup/import.ts'
import { makeCopy, readCopyParts, recordBackup } from '#db/backup/make-copy.ts'
import { markRestored, type RestoredWork } from '#db/backup/restore-hold.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { createDatabase } from '#db/transaction.ts'
import { releaseRestored } from '#modules/sistema/index.ts'
import { NO_REALTIME } from '#realtime/publishing.ts'
import type { Env } from '../env.ts'
import { besideServer, requireDataFolder, say, total, withOwner, withPool } from './database.ts'
import { createIds } from '../ids.ts'

export async function exportTo(env: Env, file: string): Promise<void> {
  const key = env.BALCAO_BACKUP_CHAVE ?? null
  // Requests of a running server come first.
  setPriority(constants.priority.PRIORITY_LOW)
  const { tabelas } = await besideServer(env, (target) =>
    withPool(createPool(target, { max: 2 }), async (owner) => {
      await refuseOpenCopy(owner, env)
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

const OPEN_COPY_TEXT =
  'O servidor tem mais de uma conta, e a cópia sairia sem cifra. Defina BALCAO_BACKUP_CHAVE, ou COPIA_SEM_CIFRA=sim se a pasta das cópias já é cifrada.'

/** Throws when an unencrypted copy would hold several shops. A thief of the file would read the customers of all of them. */
async function refuseOpenCopy(owner: Pool, { BALCAO_BACKUP_CHAVE, COPIA_SEM_CIFRA }: Env): Promise<void> {
  if (BALCAO_BACKUP_CHAVE !== undefined || COPIA_SEM_CIFRA === 'sim') return
  const client = await owner.connect()
  try {
    await client.query(`begin; set local app.contas = '*'`)
    const { rows } = await client.query<{ shops: number }>(
      `select count(distinct conta_id)::int as shops from usuarios where tipo = 'usuario' and excluido_em is null`,
    )
    await client.query('commit')
    if ((rows[0]?.shops ?? 0) > 1) throw new Error(OPEN_COPY_TEXT)
  } finally {
    client.release()
  }
}

/** The scheduled copy. The server runs this command in a child process. */
export async function copy(env: Env): Promise<void> {
  const { copiaDir: dir, dataDir, COPIA_MANTER: keep } = env
  if (dir === undefined) throw new Error('Defina COPIA_DIR: a pasta das cópias.')
  const passphrase = env.BALCAO_BACKUP_CHAVE ?? null
  setPriority(constants.priority.PRIORITY_LOW)
  const { file, tabelas, files, missing } = await besideServer(env, (target) =>
    withPool(createPool(target, { max: 1 }), async (owner) => {
      await refuseOpenCopy(owner, env)
      return makeCopy({ owner, files: createStorage(env), dir, keep, passphrase, dataDir, now: new Date() })
    }),
  )
  say(`Cópia em ${file}: ${total(tabelas)} linhas e ${files} arquivos.`)
  if (missing > 0) say(`Arquivos que o banco conhece e que não existem mais: ${missing}.`)
}

export async function importFrom(env: Env, file: string, consent: boolean): Promise<void> {
  if (!existsSync(file)) throw new Error(`O arquivo ${file} não existe.`)
  const { tabelas, criadoEm, waiting } = await withOwner(env, async (owner) => {
    // First, so that a wrong key leaves the database empty. The sweep deletes files without a row.
    await importFiles(env, file)
    return importDatabase(owner, file, env.BALCAO_BACKUP_CHAVE ?? null, { consent })
  })
  say(`Importadas ${total(tabelas)} linhas em ${tabelas.length} tabelas.`)
  sayWaiting(criadoEm, waiting)
  if (consent) say('Tudo isso sai e liga quando o servidor iniciar (--ligar).')
  else sayHeld()
  const secret = join(env.dataDir, 'app-secret')
  if (env.APP_SECRET === undefined && !existsSync(secret))
    say(`Antes de iniciar, copie para ${secret} o da instalação da cópia: sem ele o servidor não inicia.`)
  if (existsSync(join(env.dataDir, 'apagados'))) return
  say(
    `Clientes apagados depois desta cópia voltam com ela. Antes de iniciar, copie o arquivo apagados para ${env.dataDir}.`,
  )
}

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

function sayWaiting(madeAt: string, { mensagens, emails, bots }: RestoredWork): void {
  say(`Cópia de ${madeAt}. Mensagens à espera: ${mensagens}. E-mails: ${emails}. Bots ligados: ${bots}.`)
}

function sayHeld(): void {
  say('Nada sai e nenhum bot liga até você decidir, em Administração → Sistema ou aqui:')
  say('npm run db:liberar -- --descartar   (o que esperava fica marcado como não enviado, e os bots ligam)')
  say('npm run db:liberar -- --enviar      (o que esperava sai, e os bots ligam)')
}

/** A running server finds the released bots and mails in its next rounds. It publishes nothing to open panels. */
export async function release(env: Env, decision: RestoreDecision): Promise<void> {
  const clock = { now: () => new Date() }
  const { mensagens, emails, agendadas } = await besideServer(env, async (target) => {
    const log = { error: (_: object, message: string) => say(message) }
    const db = createDatabase({ pool: createPool(target, { role: APP_ROLE, max: 1 }), log })
    try {
      const deps = { db, clock, ids: createIds(clock), realtime: NO_REALTIME, mailQueued: () => {} }
      return await releaseRestored(deps, decision, null)
    } finally {
      await db.end()
    }
  })
  say(
    `${decision === 'descartar' ? 'Descartado' : 'Liberado'}. Mensagens: ${mensagens}. E-mails: ${emails}. Agendadas: ${agendadas}.`,
  )
  say('Os bots que estavam ligados voltam em segundos, ou quando o servidor iniciar.')
}

/**
 * Marks a database that was restored without `db:import`, such as to a point in time. `moment` is that of its data,
 * by default now. Throws a Portuguese sentence if a server uses the database.
 */
export async function hold(env: Env, moment: string | undefined): Promise<void> {
  const madeAt = moment === undefined ? new Date() : new Date(moment)
  if (Number.isNaN(madeAt.getTime())) throw new Error(`O instante ${moment ?? ''} não é válido.`)
  requireDataFolder(env)
  const waiting = await withOwner(env, (owner) => markRestored(owner, madeAt.toISOString()))
  sayWaiting(madeAt.toISOString(), waiting)
  sayHeld()
}
