import { createReadStream } from 'node:fs'
import * as z from 'zod/mini'
import { escapeIdentifier, type Pool, type PoolClient } from 'pg'
import { checkSealedOfConta, recordKeys } from '#db/sealed-values.ts'
import type { Files } from '#ports/files.ts'
import type { Vault } from '#security/vault.ts'
import { rawSql, sql } from '#db/statement/sql.ts'
import { oneValue } from '#db/statement/statement.ts'
import { createKeyFinder, decrypt } from '../cipher.ts'
import { listMigrations } from '../export.ts'
import {
  type ContaHeader,
  createReader,
  type HeaderTable,
  readContaHeader,
  type Reader,
  secretContext,
} from '../format.ts'
import { loadTable } from '../import.ts'
import { restoreContaFiles } from './files.ts'
import { encodeReceipt, inTransaction } from './move.ts'
import { columnList, type ContaTable, listContaTables } from './tables.ts'

const UNIQUE_VIOLATION = '23505'

export interface ContaImport {
  readonly owner: Pool
  readonly files: Files
  readonly vault: Vault
  readonly passphrase: string | null
  readonly address: string
  /** Crash-test hook: all rows and files are written, nothing is committed. */
  readonly beforeCommit?: () => void
}

/**
 * Adds the conta of a file to a database with other contas, in one transaction, also beside a running server. Its bots
 * are off. Throws a Portuguese sentence, with nothing stored, if the file is damaged or of another version or secret,
 * or if the conta or one of its e-mails exists.
 */
export async function importConta(plan: ContaImport, file: string) {
  const { owner, vault, passphrase, address, files } = plan
  const stream = createReadStream(file)
  const written: string[] = []
  try {
    const reader = createReader(decrypt(stream, createKeyFinder(passphrase)))
    const header = await readContaHeader(reader)
    requireSameSecret(vault, header)
    const { conta, tabelas, mudanca } = header
    await inTransaction(owner, async (client) => {
      await prepare(client, header)
      try {
        await loadRows(client, header, reader)
        await recordKeys(client, await checkSealedOfConta(client, vault, conta))
        await restoreContaFiles(reader, async (name, bytes) => {
          written.push(name)
          await files.write(conta, name, bytes)
        })
        if (!(await reader.ended())) throw new Error('O arquivo está danificado: há dados depois do fim.')
        plan.beforeCommit?.()
      } catch (error) {
        // Before the lock ends, so that another import of the same file does not lose its files.
        for (const name of written) await files.remove(conta, name)
        throw error
      }
    })
    return {
      conta,
      tabelas,
      files: written.length,
      receipt: encodeReceipt(vault, { contaId: conta, move: mudanca, to: address }),
    }
  } finally {
    stream.destroy()
  }
}

async function prepare(client: PoolClient, { migracoes, conta }: ContaHeader): Promise<void> {
  await client.query(`set local statement_timeout = 0; set local lock_timeout = 0;
    set local idle_in_transaction_session_timeout = 0`)
  await lockContaImport(client)
  const here = await listMigrations(client)
  const name = ({ nome, sha256 }: ContaHeader['migracoes'][number]): string => `${nome} ${sha256}`
  const [ours, theirs] = [new Set(here.map(name)), new Set(migracoes.map(name))]
  const other = [...migracoes, ...here].find((migration) => !ours.has(name(migration)) || !theirs.has(name(migration)))
  if (other !== undefined) {
    throw new Error(
      `O arquivo é de outra versão do Balcão (migração ${other.nome}). Deixe as duas instalações na mesma versão.`,
    )
  }
  const { rowCount } = await client.query('select from contas where id = $1', [conta])
  if (rowCount !== 0) throw new Error('A conta já existe neste servidor. Nada foi importado.')
}

async function loadRows(client: PoolClient, { tabelas, conta }: ContaHeader, reader: Reader): Promise<void> {
  const tables = new Map((await listContaTables(client, conta)).map((table) => [table.nome, table]))
  for (const table of tabelas) {
    const own = tables.get(table.nome)
    if (own === undefined) throw new Error(`O arquivo tem a tabela ${table.nome}, que não é de uma conta.`)
    await loadRowsOf(client, own, table, reader)
  }
  await client.query('update contas set mudanca = null, mudando_desde = null where id = $1', [conta])
  // The fencing numbers of the source mean nothing here.
  await client.query(
    `update linhas_bots set desejado = false, epoca = 0, parada = null, status = 'PARADO',
       motivo = null, qr_code = null, qr_expira_em = null, conectado_como = null, desconectado_desde = null
     where conta_id = $1`,
    [conta],
  )
  // The file may be days old. The owner sees the messages as not sent, and conversas wait for a person.
  await client.query(
    `update agendadas set estado = 'falhou', motivo = 'copiaRestaurada'
     where conta_id = $1 and estado = 'marcada' and enviar_em <= now()`,
    [conta],
  )
  await client.query(`delete from prazos where conta_id = $1 and tipo <> 'semNinguem' and vence_em <= now()`, [conta])
  await client.query('delete from despedidas where conta_id = $1 and sair_em <= now()', [conta])
  await client.query(
    `update regras_atendimento
     set resumo_em = resumo_em + make_interval(days => 1 + floor(extract(epoch from now() - resumo_em) / 86400)::int)
     where conta_id = $1 and resumo_em <= now()`,
    [conta],
  )
  // Browsers subscribed with the key of the source.
  await client.query('delete from push_inscricoes where conta_id = $1', [conta])
}

/** Through a temporary table: COPY does not write into a table whose row-level security binds the owner. */
async function loadRowsOf(client: PoolClient, own: ContaTable, table: HeaderTable, reader: Reader): Promise<void> {
  const [name, temporary] = [escapeIdentifier(own.nome), escapeIdentifier(`carga_${own.nome}`)]
  await client.query(`create temp table ${temporary} (like ${name} including generated) on commit drop`)
  await loadTable(client, table, reader, `carga_${own.nome}`)
  if (own.nome === 'usuarios') await requireFreeEmails(client, temporary)
  // The nodes of the source do not exist here.
  if (own.nome === 'linhas_bots') await client.query(`update ${temporary} set no = null`)
  const { rowCount } = await client.query(`select from ${temporary} where (${own.condition}) is not true limit 1`)
  if (rowCount !== 0) throw new Error(`O arquivo tem linhas de outra conta na tabela ${own.nome}. Nada foi importado.`)
  const columns = columnList(table.colunas.filter((column) => column !== own.numbered))
  const order = own.numbered === null ? '' : `order by ${escapeIdentifier(own.numbered)}`
  try {
    await client.query(`insert into ${name} (${columns}) select ${columns} from ${temporary} ${order}`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error
    throw new Error(`Este servidor já tem uma linha igual a uma da conta (tabela ${own.nome}). Nada foi importado.`, {
      cause: error,
    })
  }
  await client.query(`drop table ${temporary}`)
}

async function requireFreeEmails(client: PoolClient, loaded: string): Promise<void> {
  const taken = (alias: string): string => `(${alias}.excluido_em is null or ${alias}.volta_com_conta)`
  const { rows } = await client.query<{ email: string }>(
    `select n.email from ${loaded} n join usuarios u on u.email = n.email and ${taken('u')} where ${taken('n')} limit 1`,
  )
  if (rows[0] !== undefined) {
    throw new Error(`O e-mail ${rows[0].email} já existe neste servidor. Nada foi importado.`)
  }
}

/** Throws a Portuguese sentence if the file was made with another secret. */
function requireSameSecret(
  vault: Pick<Vault, 'open'>,
  { conta, mudanca, canario }: Pick<ContaHeader, 'conta' | 'mudanca' | 'canario'>,
): void {
  try {
    if (vault.open(canario, secretContext(mudanca)) === conta) return
  } catch {
    // The same sentence as for another content.
  }
  throw new Error('O APP_SECRET deste servidor não é o da origem. As duas instalações precisam do mesmo.')
}

const LOCK = 7_203_618

/** Allows one import of a conta at a time, until the transaction ends. Throws if another one runs. */
async function lockContaImport(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [LOCK])
  if (rows[0]?.free !== true) throw new Error('Outra conta está sendo importada. Espere ela terminar.')
}

/** True while a conta is imported: its files have no visible rows yet, and must stay. */
export const isContaImporting = oneValue(
  'db: is conta importing',
  z.boolean(),
  sql`select exists (
    select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${rawSql(String(LOCK))} and granted
      and database = (select oid from pg_database where datname = current_database())) as value`,
)
