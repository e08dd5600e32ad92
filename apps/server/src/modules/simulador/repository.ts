import * as z from 'zod/mini'
import { channelOf } from '@balcao/contract/connectors'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import { instant } from '#db/statement/fields.ts'
import { lineOf, storedLine } from '#db/statement/line.ts'
import { contaId, linhaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { type MensagemMarks, mensagemMarksSchema, marksView } from '#modules/mensagens/index.ts'
import type { LineKey } from '#ports/bots.ts'

export function simulatedChannel(line: LineKey): string {
  return channelOf({ conector: 'simulador', linha: storedLine(line) })
}

export const isReceived = oneValue(
  'simulador: is received',
  z.boolean(),
  sql`select exists (
    select from mensagens where conta_id = ${contaId} and canal = ${value('channel', 'text')} and id_externo = ${value('id', 'text')}
      and (direcao = 'entrada' or origem = 'telefone')) as value`,
)

export const countReceivedToday = oneValue(
  'simulador: count received today',
  z.int(),
  sql`select coalesce((
    select d.recebidas from contas k
    join uso_diario d on d.conta_id = k.id and d.dia = (${value('now', 'timestamptz')} at time zone k.fuso)::date
    where k.id = ${contaId}), 0) as value`,
)

function marksOf(extras: MensagemMarks | null): Pick<MensagemSimulada, 'citada' | 'reacoes'> {
  const { citada, reacoes } = marksView(extras)
  return { ...(citada === undefined ? {} : { citada }), ...(reacoes === undefined ? {} : { reacoes }) }
}

const rowSchema = z.object({
  id: z.string(),
  origem: z.string(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  extras: z.nullable(mensagemMarksSchema),
  timestamp: instant,
})

const listRows = manyRows(
  'simulador: list mensagens',
  rowSchema,
  sql`select case when m.direcao = 'entrada' then coalesce(m.id_externo, m.id::text) else m.id::text end as id,
      m.origem, m.texto, m.midia, m.extras, m.criada_em as timestamp
    from enderecos e
    join conversas v on v.conta_id = e.conta_id and v.contato_id = e.contato_id
    join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
    where e.conta_id = ${contaId} and e.endereco = ${value('address', 'text')} and ${lineOf('v')} = ${linhaId}
      and (m.direcao = 'entrada' or (m.estado not in ('falhou', 'limite', 'pendente') and not exists (
        select 1 from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id)))
    order by m.id desc limit 500`,
)

const DELETED_TEXT = '🚫 Mensagem apagada'

function toSimulada({ id, origem, texto, midia, extras, timestamp }: z.output<typeof rowSchema>): MensagemSimulada {
  const { apagada, edicao = texto } = extras ?? {}
  // Messages typed on the owner's phone appear on the shop's side.
  const base = { id, de: origem === 'cliente' ? 'cliente' : 'bot', timestamp } as const
  if (apagada === true) return { ...base, texto: DELETED_TEXT }
  return {
    ...base,
    texto: edicao,
    ...(midia?.url === undefined || midia.tipo !== 'imagem' ? {} : { imagemUrl: midia.url }),
    ...(midia === null ? {} : { midia }),
    ...marksOf(extras),
  }
}

/**
 * The chat on one line as the customer's phone shows it, oldest first. Excludes mensagens that are still queued, held back by
 * the limit or failed.
 */
export async function listMensagensOfContato(
  tx: Tx,
  { contaId, linhaId }: LineKey,
  address: string,
): Promise<MensagemSimulada[]> {
  const rows = await listRows(tx, { contaId, linhaId, address })
  return rows.toReversed().map(toSimulada)
}
