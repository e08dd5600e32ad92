import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Env } from '../env.ts'
import { createStorage } from '#adapters/storage.ts'
import { exportConta } from '#db/backup/conta/export-conta.ts'
import { importConta } from '#db/backup/conta/import-conta.ts'
import { cancelMove, confirmMove } from '#db/backup/conta/move.ts'
import { createPool } from '#db/connection.ts'
import { createCrashPoints } from '#lib/crash-points.ts'
import type { Pool } from 'pg'
import { createIds } from '../ids.ts'
import { besideServer, requireDataFolder, say, total, withPool } from './database.ts'
import { openVault } from './secrets.ts'

const besideOwner = <T>(env: Env, fn: (owner: Pool) => Promise<T>): Promise<T> =>
  besideServer(env, (target) => withPool(createPool(target, { max: 2 }), fn))

/** Exports one conta, which stops working here. `stop` stops its bot. */
export async function exportContaTo(
  env: Env,
  file: string,
  { contaId, stop }: { readonly contaId: string; readonly stop: boolean },
): Promise<void> {
  requireDataFolder(env)
  const [vault, files, passphrase] = [openVault(env), createStorage(env), env.BALCAO_BACKUP_CHAVE ?? null]
  const {
    tabelas,
    files: stored,
    missing,
  } = await besideOwner(env, (owner) =>
    exportConta({ owner, files, vault, file, passphrase, contaId, stop, move: randomUUID() }),
  )
  say(`Exportadas ${total(tabelas)} linhas e ${stored} arquivos da conta para ${file}.`)
  if (missing > 0) say(`Arquivos que o banco conhece e que não existem mais: ${missing}.`)
  if (passphrase === null) say('O arquivo está SEM CIFRA: para cifrar, informe BALCAO_BACKUP_CHAVE.')
  say('A conta está mudando: ninguém entra nela e o bot não liga aqui. No outro servidor:')
  say(`npm run db:import -- --conta ${file}`)
  say(`Para desistir: npm run db:export -- --conta ${contaId} --cancelar`)
}

export async function importContaFrom(env: Env, file: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`O arquivo ${file} não existe.`)
  requireDataFolder(env)
  const crash = createCrashPoints(env.FALHA)
  const plan = {
    ...{ files: createStorage(env), vault: openVault(env), passphrase: env.BALCAO_BACKUP_CHAVE ?? null },
    ...{ address: env.urlPublica, beforeCommit: () => crash('conta.antes-commit') },
  }
  const { conta, tabelas, files, receipt } = await besideOwner(env, (owner) => importConta({ ...plan, owner }, file))
  say(`Importadas ${total(tabelas)} linhas e ${files} arquivos da conta ${conta}. O bot está desligado.`)
  say('No servidor de origem, confirme a mudança:')
  say(`npm run db:export -- --conta ${conta} --confirmar ${receipt}`)
}

export async function cancelContaMove(env: Env, contaId: string): Promise<void> {
  requireDataFolder(env)
  await besideOwner(env, (owner) => cancelMove(owner, contaId))
  say('A mudança foi cancelada e a conta volta a funcionar aqui. Não importe o arquivo dela em outro servidor.')
}

export async function confirmContaMove(env: Env, contaId: string, receipt: string): Promise<void> {
  requireDataFolder(env)
  const vault = openVault(env)
  const auditId = createIds({ now: () => new Date() }).uuid()
  const to = await besideOwner(env, (owner) => confirmMove(owner, { contaId, receipt, vault, auditId }))
  say(`A conta mudou para ${to}. Os dados que ficaram aqui são apagados em 30 dias.`)
}
