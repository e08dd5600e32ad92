import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { parseStoredConfig, type WholeConfig } from './stored-config.ts'

/** The last 200 contents always stay. Older ones are deleted, oldest first, above `CONTENTS_MAX_BYTES`. */
const KEPT_VERSIONS = 200
const CONTENTS_MAX_BYTES = 20_000_000
const MINUTE_MAX_BYTES = 10_000_000
const MINUTE_MS = 60_000

const findCurrentContent = oneRow(
  'configuracao: find current content',
  z.object({ versao: z.int(), dados: z.unknown() }),
  sql`select c.versao, c.dados from (
      select coalesce(igual_a, versao) as conteudo from configuracoes where conta_id = ${contaId}
      order by versao desc limit 1
    ) v join configuracoes c on c.conta_id = ${contaId} and c.versao = v.conteudo`,
)

export async function findEqualContent(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  { config, linhas }: WholeConfig,
): Promise<number | null> {
  const content = await findCurrentContent(tx, { contaId })
  if (content === null) return null
  const stored = parseStoredConfig(deps, contaId, content.dados)
  return isDeepStrictEqual(stored, { config, linhas }) ? content.versao : null
}

const sumContents = oneRow(
  'configuracao: sum contents',
  z.object({ total: z.number(), minuto: z.number() }),
  sql`select coalesce(sum(bytes), 0)::float8 as total,
      coalesce(sum(bytes) filter (where criada_em > ${value('since', 'timestamptz')}), 0)::float8 as minuto
    from configuracoes where conta_id = ${contaId} and dados is not null`,
)

/** A kept version may share the content of an older one, which then stays too. */
const deleteOldContents = noRows(
  'configuracao: delete old contents',
  sql`update configuracoes set dados = null, bytes = 0
    where conta_id = ${contaId} and versao in (
      select versao from (
        select versao, sum(bytes) over (order by versao desc) as acumulado
        from configuracoes where conta_id = ${contaId} and dados is not null
      ) c where c.versao <= ${value('until', 'int')} and c.acumulado > ${rawSql(String(CONTENTS_MAX_BYTES))}
    ) and versao not in (
      select coalesce(igual_a, versao) from configuracoes where conta_id = ${contaId} and versao > ${value('until', 'int')})`,
)

/** Call it after a new version. Throws `muitasTentativas` if the conta stored too much within a minute. */
export async function limitContents(
  tx: Tx,
  contaId: string,
  { now, versao }: { now: Date; versao: number },
): Promise<void> {
  const sizes = await sumContents(tx, { contaId, since: new Date(now.getTime() - MINUTE_MS) })
  if ((sizes?.minuto ?? 0) > MINUTE_MAX_BYTES) {
    throw new AppError('muitasTentativas', {
      erro: 'A configuração mudou vezes demais em um minuto. Espere um pouco e salve de novo.',
      tentarEmS: MINUTE_MS / 1_000,
    })
  }
  if ((sizes?.total ?? 0) > CONTENTS_MAX_BYTES) await deleteOldContents(tx, { contaId, until: versao - KEPT_VERSIONS })
}
