import * as z from 'zod/mini'
import { motivoBotSchema, statusBotSchema } from '@balcao/contract/entities/bot-status'
import { sql } from '#db/statement/sql.ts'
import { noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import { isDeleted, mayStart } from './leases-repository.ts'
import { isHeld, isBotLine, isPairedBy } from './repository.ts'

/** Statements about the lines that use a protocol version. They need a system transaction. */

/** The service refused the version. The owner did not stop the line. */
const isOutdated = sql`(not b.desejado and b.status = 'ERRO' and b.motivo = 'clienteDesatualizado')`
const isLinked = sql`${isPairedBy('code')} and b.credenciais is not null and not ${isDeleted}`

export const hasLinked = oneValue(
  'bot: has linked',
  z.boolean(),
  sql`select exists (select from linhas_bots b where ${isLinked} and (b.desejado or ${isOutdated})) as value`,
)

/** A line that the service refused loses nothing. Among the connected lines, the one that is idle for longest. */
export const findTestLine = oneRow(
  'bot: find test line',
  z.object({ contaId: z.string(), linhaId: z.string() }),
  sql`select b.conta_id, b.linha_id from linhas_bots b
      where ${isLinked} and ${mayStart} and (${isOutdated} or (b.desejado and b.status = 'CONECTADO' and ${isHeld}))
      order by b.desejado, exists (select from saida s where s.conta_id = b.conta_id),
        (select max(c.ultima_atividade) from contatos c where c.conta_id = b.conta_id) nulls first
      limit 1`,
)

/** The node with the line closes its link and takes it again. A line that ended is free for any node. */
export const restartLink = oneRow(
  'bot: restart link',
  z.object({ epoca: z.number() }),
  sql`update linhas_bots set desejado = true, parada = epoca, atualizado_em = now() where ${isBotLine} returning epoca`,
)

/** Nodes take them at the pace of their starts. */
export const restartOutdated = noRows(
  'bot: restart outdated',
  sql`update linhas_bots b set desejado = true, parada = epoca, status = 'INICIALIZANDO', motivo = null,
        atualizado_em = now()
      where ${isLinked} and ${isOutdated}`,
)

export const findAttempt = oneRow(
  'bot: find attempt',
  z.object({ epoca: z.number(), status: statusBotSchema, motivo: z.nullable(motivoBotSchema) }),
  sql`select epoca, status, motivo from linhas_bots where ${isBotLine}`,
)
