import * as z from 'zod/mini'
import type { DaySummary } from '@balcao/engine/atendimento/daily-summary'
import { shiftDay } from '@balcao/engine/rules/horario'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { inOrder, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { firstIdAt } from '#ids.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { SERVER_READER } from '#modules/leitores/index.ts'
import { readTotal } from '#modules/relatorio/index.ts'

const from = value('from', 'timestamptz')
const until = value('until', 'timestamptz')

/** The ids of messages follow their time, so the primary key serves a day. */
const countWriters = oneValue(
  'resumo: count writers',
  z.int(),
  sql`select count(distinct v.contato_id)::int as value from mensagens m
      join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
      where m.conta_id = ${contaId} and m.id >= ${value('firstId', 'uuid')} and m.id < ${value('endId', 'uuid')}
        and m.origem = 'cliente' and not m.simulada`,
)

/** A customer without an answer waited until the end of the conversa, at most until the end of the day. */
const findLongestWait = oneRow(
  'resumo: find longest wait',
  z.object({ nome: z.string(), telefone: z.string(), nomeUsuario: z.string(), ms: z.number() }),
  sql`select c.nome, c.telefone, c.nome_usuario, round(extract(epoch from w.ate - w.aguardando_desde) * 1000)::float8 as ms
      from (
        select contato_id, aguardando_desde,
          least(coalesce(primeira_resposta_em, finalizada_em, ${until}), ${until}) as ate
        from conversas where conta_id = ${contaId} and protocolo is not null and not teste and status <> 'bot'
          and aguardando_desde >= ${from} and aguardando_desde < ${until}
      ) w join contatos c on c.conta_id = ${contaId} and c.id = w.contato_id
      where w.ate > w.aguardando_desde order by ms desc limit 1`,
)

/** `from` and `until`: begin of the local day and of the next one. */
interface Day {
  readonly contaId: string
  readonly dia: string
  readonly fuso: string
  readonly from: Date
  readonly until: Date
}

/** The figures of all setores, as the report has them. */
export async function readDayFigures(tx: Tx, { contaId, dia, fuso, from, until }: Day): Promise<DaySummary> {
  const span = { de: dia, ateFora: shiftDay(dia, 1).data, fuso }
  const [total, escreveram, longest] = await inOrder([
    readTotal(tx, { ...SERVER_READER, contaId }, span),
    countWriters(tx, { contaId, firstId: firstIdAt(from), endId: firstIdAt(until) }),
    findLongestWait(tx, { contaId, from, until }),
  ])
  return {
    ...{ dia, escreveram, conversas: total?.conversas ?? 0, semResposta: total?.semResposta ?? 0 },
    ...{ medianaMs: total?.medianaMs ?? null, avaliacoes: total?.avaliacoes ?? 0, notaMedia: total?.notaMedia ?? null },
    maisEsperou: longest === null ? null : { nome: nameOrPhone(longest), ms: longest.ms },
  }
}
