import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

/**
 * Mark of an erased address: an HMAC that cannot be turned back into a number. Marks are stored in the database and
 * in a file of the data folder, because a restored backup lacks the later ones.
 */
export interface Lapide {
  readonly contaId: string
  readonly marca: string
  readonly apagadoEm: Date
}

const ARQUIVO = 'apagados'
const LINHA = /^([0-9a-f-]{36}) (\S+) (\d{4}-\S+Z)$/

export function lugarDaLapide(contaId: string): string {
  return `apagados|marca|${contaId}`
}

const lapideSchema = z.object({ conta_id: z.string(), marca: z.string(), apagado_em: z.date() })

/**
 * Call it as the last step before the commit. A mark in the file whose transaction rolls back would erase the
 * contato at the next start.
 */
export async function gravarLapides(
  tx: Tx,
  { cofre, settings }: Pick<Deps, 'cofre' | 'settings'>,
  contaId: string,
  enderecos: readonly string[],
): Promise<void> {
  const marcas = enderecos.map((endereco) => cofre.marca(endereco, lugarDaLapide(contaId)))
  const gravadas = await tx.rows(
    lapideSchema,
    `insert into apagados (conta_id, marca, apagado_em) select $1, m, clock_timestamp() from unnest($2::text[]) as m
     on conflict (conta_id, marca) do update set apagado_em = excluded.apagado_em
     returning conta_id, marca, apagado_em`,
    [contaId, marcas],
  )
  await anotar(settings.dataDir, gravadas.map(toLapide))
}

function toLapide({ conta_id, marca, apagado_em }: z.output<typeof lapideSchema>): Lapide {
  return { contaId: conta_id, marca, apagadoEm: apagado_em }
}

/** Appends lines and syncs them to disk. */
async function anotar(dataDir: string, lapides: readonly Lapide[]): Promise<void> {
  if (lapides.length === 0) return
  const linhas = lapides.map(({ contaId, marca, apagadoEm }) => `${contaId} ${marca} ${apagadoEm.toISOString()}\n`)
  const arquivo = await open(join(dataDir, ARQUIVO), 'a', 0o600)
  try {
    await arquivo.write(linhas.join(''))
    await arquivo.sync()
  } finally {
    await arquivo.close()
  }
}

async function lerArquivo(dataDir: string): Promise<Lapide[]> {
  let texto = ''
  try {
    texto = await readFile(join(dataDir, ARQUIVO), 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  return texto.split('\n').flatMap((linha) => {
    const [, contaId, marca, quando] = LINHA.exec(linha) ?? []
    if (contaId === undefined || marca === undefined || quando === undefined) return []
    return [{ contaId, marca, apagadoEm: new Date(quando) }]
  })
}

/** Merges the marks of the file and the database, writes the missing ones to both and returns all. */
export async function reunirLapides({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<Lapide[]> {
  const noDisco = await lerArquivo(settings.dataDir)
  const todas = await db.transaction('*', async (tx) => {
    // Marks of deleted contas are skipped.
    await tx.query(
      `insert into apagados (conta_id, marca, apagado_em)
       select i.conta_id, i.marca, max(i.apagado_em) from unnest($1::uuid[], $2::text[], $3::timestamptz[])
         as i (conta_id, marca, apagado_em)
       where exists (select 1 from contas c where c.id = i.conta_id) group by 1, 2
       on conflict (conta_id, marca) do update set apagado_em = greatest(apagados.apagado_em, excluded.apagado_em)`,
      [
        noDisco.map(({ contaId }) => contaId),
        noDisco.map(({ marca }) => marca),
        noDisco.map(({ apagadoEm }) => apagadoEm.toISOString()),
      ],
    )
    return (await tx.rows(lapideSchema, 'select conta_id, marca, apagado_em from apagados')).map(toLapide)
  })
  const anotadas = new Set(noDisco.map(({ contaId, marca }) => `${contaId} ${marca}`))
  await anotar(
    settings.dataDir,
    todas.filter(({ contaId, marca }) => !anotadas.has(`${contaId} ${marca}`)),
  )
  return todas
}
