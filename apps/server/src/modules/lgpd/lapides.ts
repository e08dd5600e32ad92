import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

/**
 * Marks of erased customers: HMACs that lead nobody back to a number. They are in the database and in a file of the data
 * folder as well, because a restored backup replaces the database and knows nothing of what was erased after it.
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

/** The caller's last step before its commit: a mark on the disk whose erasure did not commit erases at the next start. */
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

/** Adds lines that survive a loss of power. */
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

/** What the file knows and the database does not, and the other way round; afterwards both know all. */
export async function reunirLapides({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<Lapide[]> {
  const noDisco = await lerArquivo(settings.dataDir)
  const todas = await db.transaction('*', async (tx) => {
    // An account that is gone has no customers to erase.
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
