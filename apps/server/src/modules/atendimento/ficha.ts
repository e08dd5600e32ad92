import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { FichaDoCliente, ResumoDaConversa } from '@balcao/contract/entities/conversa'
import { linhaDaConversaSchema } from '@balcao/contract/entities/linha'
import type { ArquivoDaConversa } from '@balcao/contract/entities/mensagem'
import { filesAndLinksOf } from '@balcao/contract/text/mensagem-summary'
import { instant } from '#db/statement/fields.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { cutPage, type Page } from '#http/page.ts'
import { findServed, findJanela, linhaSql } from '#modules/conversas/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { readable, readableOfConversa, readerValues } from '#modules/leitores/index.ts'
import { mensagemColumns, mensagemFromRow, mensagemRowSchema } from '#modules/mensagens/index.ts'
import type { ConversaRef } from './conversa/change.ts'

const EARLIER_MAX = 20

const contatoId = value('contatoId', 'uuid')
const isEarlier = sql`v.conta_id = ${contaId} and v.contato_id = ${contatoId} and v.id <> ${value('id', 'uuid')}
  and v.protocolo is not null and ${readable('v')}`

const listEarlier = manyRows(
  'atendimento: list earlier',
  z.object({
    id: z.string(),
    protocolo: z.string(),
    setor: z.string(),
    linha: linhaDaConversaSchema,
    status: z.enum(['aguardando', 'em_atendimento', 'finalizada']),
    operador: z.nullable(z.string()),
    iniciadoEm: instant,
    finalizadaEm: z.nullable(instant),
    nota: z.nullable(z.int()),
  }),
  sql`
select v.id, v.protocolo, coalesce(v.setor, '${rawSql(SETOR_GERAL)}') as setor, ${linhaSql('v')} as linha, v.status, v.operador,
  v.iniciada_em as iniciado_em, v.finalizada_em, (
    select a.nota from avaliacoes a where a.conta_id = v.conta_id and a.conversa_id = v.id order by a.id desc limit 1
  ) as nota
from conversas v where ${isEarlier}
order by v.id desc limit ${rawSql(String(EARLIER_MAX))}`,
)

const countEarlier = oneRow(
  'atendimento: count earlier',
  z.object({ anteriores: z.int(), avaliacoes: z.int(), notaMedia: z.nullable(z.number()) }),
  sql`
select (select count(*)::int from conversas v where ${isEarlier}) as anteriores,
  count(*)::int as avaliacoes, round(avg(a.nota), 2)::float8 as nota_media
from avaliacoes a where a.conta_id = ${contaId} and a.contato_id = ${contatoId} and ${readableOfConversa('a')}`,
)

export interface FichaDeps {
  /** How the customer came to people. Null: no such conversa. */
  readonly readBrief: (tx: Tx, which: Pick<ConversaRef, 'contaId' | 'id'>) => Promise<ResumoDaConversa | null>
}

export async function readFicha(
  tx: Tx,
  { readBrief }: FichaDeps,
  { contaId, id, reader }: ConversaRef,
): Promise<FichaDoCliente> {
  const served = await findServed(tx, contaId, id, reader)
  if (served === null) throw new AppError('naoEncontrado')
  const values = { contaId, contatoId: served.contatoId, id, ...readerValues(reader) }
  const previous = await listEarlier(tx, values)
  const janelaAte = await findJanela(tx, contaId, id)
  const totals = await countEarlier(tx, values)
  const resumo = await readBrief(tx, { contaId, id })
  return {
    anteriores: previous.map(({ finalizadaEm, operador, nota, ...rest }) => ({
      ...rest,
      ...(operador === null ? {} : { operador }),
      ...(finalizadaEm === null ? {} : { finalizadaEm }),
      ...(nota === null ? {} : { nota }),
    })),
    ...(janelaAte === null ? {} : { janelaAte: janelaAte.toISOString() }),
    totalAnteriores: totals?.anteriores ?? 0,
    avaliacoes: { total: totals?.avaliacoes ?? 0, notaMedia: totals?.notaMedia ?? null },
    ...(resumo === null ? {} : { resumo }),
  }
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const max = value('max', 'int')

/**
 * The condition of the index `mensagens_arquivos_e_links`. It is tested for each message that is stored, and a regular
 * expression would take twice the time. `offset 0` keeps the planner from reading the messages before the conversas. An
 * edit that brings the first link of a text is not found: the index does not cover edits, so that a reaction does not
 * write it again.
 */
const listWithFiles = manyRows(
  'atendimento: list files',
  mensagemRowSchema,
  sql`select ${mensagemColumns} from (
        select f.id from conversas v cross join lateral (
          select m.id from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id
            and m.id < ${value('before', 'uuid')} and (m.midia is not null or strpos(m.texto, '://') > 0
              or strpos(m.texto, 'www.') > 0 or strpos(m.texto, 'Www.') > 0 or strpos(m.texto, 'WWW.') > 0)
          order by m.id desc limit ${max} offset 0
        ) f
        where v.conta_id = ${contaId} and v.contato_id = ${contatoId} and v.protocolo is not null
          and ${readable('v')}
        order by f.id desc limit ${max}
      ) p join mensagens m on m.conta_id = ${contaId} and m.id = p.id
      order by m.id desc`,
)

/** Throws `naoEncontrado`. */
export async function listChatFiles(
  tx: Tx,
  { contaId, id, reader }: ConversaRef,
  page: Page,
): Promise<{ itens: ArquivoDaConversa[]; proximoCursor?: string }> {
  const served = await findServed(tx, contaId, id, reader)
  if (served === null) throw new AppError('naoEncontrado')
  const which = { contaId, contatoId: served.contatoId, ...readerValues(reader) }
  const rows = await listWithFiles(tx, { ...which, before: page.before ?? LAST_ID, max: page.limite + 1 })
  const { itens, ...rest } = cutPage(rows, page)
  return { itens: itens.flatMap((row) => filesAndLinksOf(mensagemFromRow(row, nameOrPhone(served)))), ...rest }
}
