import type { Pool, PoolClient } from 'pg'
import { checkSealedOfConta } from '#db/sealed-values.ts'
import type { Files } from '#ports/files.ts'
import type { Vault } from '#security/vault.ts'
import { asOnlyExport, listMigrations, writeExport } from '../export.ts'
import { type ContaHeader, encodeContaHeader, secretContext } from '../format.ts'
import { beginSnapshot, measureTables, readTables, type SourceOf } from '../read-tables.ts'
import { type ContaFileCounts, readContaFiles } from './files.ts'
import { beginMove, type MoveOptions, setMove } from './move.ts'
import { contaSource, listContaTables } from './tables.ts'

export interface ContaExport extends MoveOptions {
  readonly owner: Pool
  readonly files: Files
  readonly vault: Vault
  readonly file: string
  readonly passphrase: string | null
}

export interface ExportedConta extends Pick<ContaHeader, 'tabelas'>, Readonly<ContaFileCounts> {}

/**
 * Writes the rows and the files of one conta into one file and leaves the conta marked as moving. After an error the
 * mark is as before. Throws a Portuguese sentence if the conta cannot move, or if another export runs.
 */
export function exportConta(plan: ContaExport): Promise<ExportedConta> {
  const { owner, contaId } = plan
  return asOnlyExport(owner, async (client) => {
    const before = await beginMove(owner, plan)
    try {
      return await writeConta(client, plan)
    } catch (error) {
      await setMove(owner, contaId, before)
      throw error
    }
  })
}

function writeConta(client: PoolClient, plan: ContaExport): Promise<ExportedConta> {
  const { contaId, move, vault, files } = plan
  return writeExport(plan, async (write) => {
    await beginSnapshot(client)
    // A wrong secret would seal a value that only the wrong target opens.
    await checkSealedOfConta(client, vault, contaId)
    const migracoes = await listMigrations(client)
    const tables = await listContaTables(client, contaId)
    const sources = new Map(tables.map((table) => [table.nome, contaSource(table)]))
    const sourceOf: SourceOf = ({ nome }) => sources.get(nome) ?? ''
    const tabelas = await measureTables(client, tables, sourceOf)
    const header = encodeContaHeader({
      ...{ criadoEm: new Date().toISOString(), conta: contaId, mudanca: move, migracoes, tabelas },
      canario: vault.seal(contaId, secretContext(move)),
    })
    const counts: ContaFileCounts = { files: 0, missing: 0 }
    const content = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(header)
      yield* readTables(client, tabelas, sourceOf)
      yield* readContaFiles(client, files, contaId, counts)
    }
    await write(content())
    await client.query('COMMIT')
    return { tabelas, ...counts }
  })
}
