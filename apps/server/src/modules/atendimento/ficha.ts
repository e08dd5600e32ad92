import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { FichaDoCliente } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import {
  type AnyReader,
  bindTo,
  findServed,
  findJanela,
  readableSetorSql,
  readableSql,
} from '#modules/conversas/index.ts'
import type { ConversaRef } from './conversa/change.ts'

const EARLIER_MAX = 20

const earlierSchema = z.object({
  id: z.string(),
  protocolo: z.string(),
  setor: z.nullable(z.string()),
  status: z.enum(['aguardando', 'em_atendimento', 'finalizada']),
  operador: z.nullable(z.string()),
  iniciada_em: z.date(),
  finalizada_em: z.nullable(z.date()),
  nota: z.nullable(z.int()),
})

const totalsSchema = z.object({ anteriores: z.int(), avaliacoes: z.int(), nota_media: z.nullable(z.number()) })

/** The rating of a conversa is its last one. */
const earlierSql = (readable: string): string => `
select v.id, v.protocolo, v.setor, v.status, v.operador, v.iniciada_em, v.finalizada_em, (
  select a.nota from avaliacoes a where a.conta_id = v.conta_id and a.conversa_id = v.id order by a.id desc limit 1
) as nota
from conversas v where v.conta_id = $1 and v.contato_id = $2 and v.id <> $3 and v.protocolo is not null
  and ${readable}
order by v.id desc limit ${EARLIER_MAX}`

const totalsSql = (readable: string, readableRating: string): string => `
select (
  select count(*)::int from conversas v
  where v.conta_id = $1 and v.contato_id = $2 and v.id <> $3 and v.protocolo is not null
    and ${readable}
) as anteriores, count(*)::int as avaliacoes, round(avg(a.nota), 2)::float8 as nota_media
from avaliacoes a where a.conta_id = $1 and a.contato_id = $2 and ${readableRating}`

/** Counts only conversas and ratings that the reader may read. */
export async function readFicha(tx: Tx, { contaId, id, reader }: ConversaRef): Promise<FichaDoCliente> {
  const served = await findServed(tx, contaId, id, reader)
  if (served === null) throw new AppError('naoEncontrado')
  const values = [contaId, served.contatoId, id]
  const previous = await readEarlier(tx, values, reader)
  const janelaAte = await findJanela(tx, contaId, id)
  const totals = await readTotals(tx, values, reader)
  return {
    anteriores: previous.map(({ iniciada_em, finalizada_em, setor, operador, nota, ...rest }) => ({
      ...rest,
      setor: setor ?? SETOR_GERAL,
      iniciadoEm: iniciada_em.toISOString(),
      ...(operador === null ? {} : { operador }),
      ...(finalizada_em === null ? {} : { finalizadaEm: finalizada_em.toISOString() }),
      ...(nota === null ? {} : { nota }),
    })),
    ...(janelaAte === null ? {} : { janelaAte: janelaAte.toISOString() }),
    totalAnteriores: totals?.anteriores ?? 0,
    avaliacoes: { total: totals?.avaliacoes ?? 0, notaMedia: totals?.nota_media ?? null },
  }
}

type Earlier = z.output<typeof earlierSchema>

function readEarlier(tx: Tx, base: readonly string[], reader: AnyReader): Promise<Earlier[]> {
  const values: unknown[] = [...base]
  return tx.rows(earlierSchema, earlierSql(readableSql(reader, 'v', bindTo(values))), values)
}

async function readTotals(
  tx: Tx,
  base: readonly string[],
  reader: AnyReader,
): Promise<z.output<typeof totalsSchema> | undefined> {
  const values: unknown[] = [...base]
  const bind = bindTo(values)
  const text = totalsSql(readableSql(reader, 'v', bind), readableSetorSql(reader, 'a.setor', bind))
  const [totals] = await tx.rows(totalsSchema, text, values)
  return totals
}
