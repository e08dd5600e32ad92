import * as z from 'zod/mini'
import type { FichaDoCliente } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { findServed, findJanela } from '#modules/conversas/index.ts'

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
const EARLIER_CONVERSAS = `
select v.id, v.protocolo, v.setor, v.status, v.operador, v.iniciada_em, v.finalizada_em, (
  select a.nota from avaliacoes a where a.conta_id = v.conta_id and a.conversa_id = v.id order by a.id desc limit 1
) as nota
from conversas v where v.conta_id = $1 and v.contato_id = $2 and v.id <> $3 and v.protocolo is not null
order by v.id desc limit ${EARLIER_MAX}`

const TOTALS = `
select (
  select count(*)::int from conversas v
  where v.conta_id = $1 and v.contato_id = $2 and v.id <> $3 and v.protocolo is not null
) as anteriores, count(*)::int as avaliacoes, round(avg(a.nota), 2)::float8 as nota_media
from avaliacoes a where a.conta_id = $1 and a.contato_id = $2`

export async function readFicha(tx: Tx, contaId: string, conversaId: string): Promise<FichaDoCliente> {
  const served = await findServed(tx, contaId, conversaId)
  if (served === null) throw new AppError('naoEncontrado')
  const values = [contaId, served.contato_id, conversaId]
  const previous = await tx.rows(earlierSchema, EARLIER_CONVERSAS, values)
  const janelaAte = await findJanela(tx, contaId, conversaId)
  const [totals] = await tx.rows(totalsSchema, TOTALS, values)
  return {
    anteriores: previous.map(({ iniciada_em, finalizada_em, setor, operador, nota, ...rest }) => ({
      ...rest,
      setor: setor ?? 'geral',
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
