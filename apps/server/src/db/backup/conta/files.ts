import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { FILE_NAME } from '#lib/file-names.ts'
import type { Files } from '#ports/files.ts'
import type { Reader } from '../format.ts'

/*
 * Media files in the file of one conta: a line `<nome> <bytes> <sha256>` and the bytes, for each file, then the line
 * `fim <count>`. The checksum covers name and bytes.
 */

const PAGE_SIZE = 1_000
const LINE_MAX_BYTES = 200
/** Size limit of an imported file, which is read into memory whole. Files of the product are smaller. */
const FILE_MAX_BYTES = 200 * 1024 * 1024
const ENTRY = /^(\S+) (\d+) ([0-9a-f]{64})$/
const DAMAGED = 'O arquivo está danificado nas mídias. Nada foi importado.'

export interface ContaFileCounts {
  files: number
  missing: number
}

/** Reads the files whose rows the snapshot of `client` contains. Counts them into `counts`. */
export async function* readContaFiles(
  client: PoolClient,
  from: Files,
  contaId: string,
  counts: ContaFileCounts,
): AsyncGenerator<Buffer> {
  for await (const name of listNames(client, contaId)) {
    const bytes = await from.read(contaId, name)
    if (bytes === null) {
      counts.missing += 1
      continue
    }
    yield Buffer.from(`${name} ${bytes.length} ${sumOf(name, bytes)}\n`)
    yield Buffer.from(bytes)
    counts.files += 1
  }
  yield Buffer.from(`fim ${counts.files}\n`)
}

async function* listNames(client: PoolClient, contaId: string): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const { rows } = await client.query<{ nome: string; mini: boolean }>(
      `select nome, tamanho_mini is not null as mini from arquivos
       where conta_id = $1 and estado = 'pronto' and nome > $2 order by nome limit ${PAGE_SIZE}`,
      [contaId, after],
    )
    for (const { nome, mini } of rows) {
      yield nome
      if (mini) yield nome.replace(/[^.]+$/, 'mini')
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_SIZE) return
    after = last.nome
  }
}

/** Passes each file to `write`. Returns their number. Throws a Portuguese sentence if the file is damaged. */
export async function restoreContaFiles(
  reader: Reader,
  write: (name: string, bytes: Buffer) => Promise<void>,
): Promise<number> {
  for (let count = 0; ; count += 1) {
    const line = await reader.line(LINE_MAX_BYTES)
    if (line === `fim ${count}`) return count
    const [, name = '', length = '', sum = ''] = ENTRY.exec(line ?? '') ?? []
    if (!FILE_NAME.test(name) || Number(length) > FILE_MAX_BYTES) throw new Error(DAMAGED)
    const parts: Buffer[] = []
    for await (const part of reader.bytes(Number(length))) parts.push(part)
    const bytes = Buffer.concat(parts)
    if (sumOf(name, bytes) !== sum) throw new Error(DAMAGED)
    await write(name, bytes)
  }
}

function sumOf(name: string, bytes: Uint8Array): string {
  return createHash('sha256').update(`${name}\n`).update(bytes).digest('hex')
}
