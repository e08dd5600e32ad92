import * as z from 'zod/mini'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import type { Tx } from '#db/transaction.ts'
import { type MensagemMarks, mensagemMarksSchema, marksView } from '#modules/conversas/index.ts'

export async function isReceived(tx: Tx, contaId: string, externalId: string): Promise<boolean> {
  const line = await tx.kysely
    .selectFrom('mensagens')
    .select('id')
    .where('contaId', '=', contaId)
    .where('canal', '=', 'simulador')
    .where('idExterno', '=', externalId)
    .where((eb) => eb.or([eb('direcao', '=', 'entrada'), eb('origem', '=', 'telefone')]))
    .limit(1)
    .executeTakeFirst()
  return line !== undefined
}

const RECEIVED_TODAY_SQL = `
select d.recebidas from contas k
join uso_diario d on d.conta_id = k.id and d.dia = ($2::timestamptz at time zone k.fuso)::date where k.id = $1`

/** Messages of customers that the conta received in its local day. */
export async function countReceivedToday(tx: Tx, contaId: string, now: Date): Promise<number> {
  const [row] = await tx.rows(z.object({ recebidas: z.int() }), RECEIVED_TODAY_SQL, [contaId, now])
  return row?.recebidas ?? 0
}

function marksOf(extras: MensagemMarks | null): Pick<MensagemSimulada, 'citada' | 'reacoes'> {
  const { citada, reacoes } = marksView(extras)
  return { ...(citada === undefined ? {} : { citada }), ...(reacoes === undefined ? {} : { reacoes }) }
}

const MENSAGENS_MAX = 500

const rowSchema = z.object({
  id: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  origem: z.string(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  extras: z.nullable(mensagemMarksSchema),
  criada_em: z.date(),
})

/**
 * The chat as the customer's phone shows it, oldest first. Excludes mensagens that are still queued, held back by
 * the limit or failed.
 */
export async function listMensagensOfContato(tx: Tx, contaId: string, address: string): Promise<MensagemSimulada[]> {
  const rows = await tx.rows(
    rowSchema,
    `select case when m.direcao = 'entrada' then coalesce(m.id_externo, m.id::text) else m.id::text end as id,
       m.direcao, m.origem, m.texto, m.midia, m.extras, m.criada_em
     from enderecos e
     join conversas v on v.conta_id = e.conta_id and v.contato_id = e.contato_id
     join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
     where e.conta_id = $1 and e.endereco = $2
       and (m.direcao = 'entrada' or (m.estado not in ('falhou', 'limite', 'pendente') and not exists (
         select 1 from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id)))
     order by m.id desc limit ${MENSAGENS_MAX}`,
    [contaId, address],
  )
  return rows.toReversed().map(({ id, origem, texto, midia, extras, criada_em }) => ({
    id,
    // Messages typed on the owner's phone appear on the shop's side.
    de: origem === 'cliente' ? 'cliente' : 'bot',
    texto,
    timestamp: criada_em.toISOString(),
    ...(midia?.url === undefined || midia.tipo !== 'imagem' ? {} : { imagemUrl: midia.url }),
    ...(midia === null ? {} : { midia }),
    ...marksOf(extras),
  }))
}
