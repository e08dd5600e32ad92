import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { parseStoredConfig } from './stored-config.ts'

/**
 * The contents of the last 200 versions always stay. Older ones are deleted, oldest first, when a conta exceeds
 * `CONTENTS_MAX_BYTES`.
 */
const KEPT_VERSIONS = 200
const CONTENTS_MAX_BYTES = 20_000_000
/** New contents of a conta within a minute. */
const MINUTE_MAX_BYTES = 10_000_000
const MINUTE_MS = 60_000

const contentSchema = z.object({ versao: z.int(), dados: z.unknown() })

/** Returns the version whose content the version in force shares, if it equals `config`. Otherwise null. */
export async function findEqualContent(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  config: Config,
): Promise<number | null> {
  const [content] = await tx.rows(
    contentSchema,
    `select c.versao, c.dados from (
       select coalesce(igual_a, versao) as conteudo from configuracoes where conta_id = $1 order by versao desc limit 1
     ) v join configuracoes c on c.conta_id = $1 and c.versao = v.conteudo`,
    [contaId],
  )
  if (content === undefined) return null
  return isDeepStrictEqual(parseStoredConfig(deps, contaId, content.dados), config) ? content.versao : null
}

const sizesSchema = z.object({ total: z.number(), minuto: z.number() })

/**
 * Call after a new version. Throws `muitasTentativas` if the conta stored too much within a minute, and deletes its
 * oldest contents beyond the limit.
 */
export async function limitContents(
  tx: Tx,
  contaId: string,
  { now, versao }: { now: Date; versao: number },
): Promise<void> {
  const [sizes] = await tx.rows(
    sizesSchema,
    `select coalesce(sum(bytes), 0) as total, coalesce(sum(bytes) filter (where criada_em > $2), 0) as minuto
     from configuracoes where conta_id = $1 and dados is not null`,
    [contaId, new Date(now.getTime() - MINUTE_MS)],
  )
  if ((sizes?.minuto ?? 0) > MINUTE_MAX_BYTES) {
    throw new AppError('muitasTentativas', {
      erro: 'A configuração mudou vezes demais em um minuto. Espere um pouco e salve de novo.',
      tentarEmS: MINUTE_MS / 1_000,
    })
  }
  if ((sizes?.total ?? 0) > CONTENTS_MAX_BYTES) await deleteOldContents(tx, contaId, versao - KEPT_VERSIONS)
}

/** A kept version may share the content of an older one, which then stays too. */
async function deleteOldContents(tx: Tx, contaId: string, until: number): Promise<void> {
  await tx.query(
    `update configuracoes set dados = null, bytes = 0
     where conta_id = $1 and versao in (
       select versao from (
         select versao, sum(bytes) over (order by versao desc) as acumulado
         from configuracoes where conta_id = $1 and dados is not null
       ) c where c.versao <= $2 and c.acumulado > $3
     ) and versao not in (
       select coalesce(igual_a, versao) from configuracoes where conta_id = $1 and versao > $2)`,
    [contaId, until, CONTENTS_MAX_BYTES],
  )
}
