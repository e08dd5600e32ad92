import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa, StatusConversa } from '@balcao/contract/entities/conversa'
import { ATIVIDADE, readConversas } from '#bot/conversa-humana.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'

/** Where a page of conversations begins: after the one that moved at `em`. */
interface Pagina {
  readonly limite: number
  readonly depoisDe: { readonly em: string; readonly id: string } | null
}

export interface FiltroConversas {
  readonly status?: StatusConversa | 'todos' | undefined
  readonly setor?: string | undefined
  readonly busca?: string | undefined
  readonly pagina: Pagina
}

const cursorSchema = z.tuple([z.iso.datetime(), z.uuid()])

/** Throws `dadosInvalidos` for a cursor that is not one of ours. */
export function paginaDe(query: {
  readonly limite?: number | undefined
  readonly cursor?: string | undefined
}): Pagina {
  const { limite = LOGS_MANTIDOS, cursor } = query
  if (cursor === undefined) return { limite, depoisDe: null }
  const lido = cursorSchema.safeParse(cursor.split('_'))
  if (!lido.success) throw new AppError('dadosInvalidos')
  const [em, id] = lido.data
  return { limite, depoisDe: { em, id } }
}

/** Most recent activity first. Finished ones only when they are asked for; what only the bot served never. */
export async function listConversasHumanas(
  tx: Tx,
  contaId: string,
  { status = 'todos', setor, busca = '', pagina }: FiltroConversas,
): Promise<{ conversas: Conversa[]; proximoCursor?: string }> {
  const values: unknown[] = [contaId]
  const valor = (dado: unknown): string => `$${values.push(dado)}`
  const partes = ['where v.conta_id = $1 and v.protocolo is not null']
  partes.push(`v.status = any (${valor(status === 'todos' ? ['aguardando', 'em_atendimento'] : [status])}::text[])`)
  if (setor !== undefined) partes.push(`v.setor = ${valor(setor)}`)
  if (busca.trim() !== '') partes.push(procura(busca.trim(), valor))
  if (pagina.depoisDe !== null) {
    const { em, id } = pagina.depoisDe
    partes.push(`(${ATIVIDADE}, v.id) < (${valor(em)}::timestamptz, ${valor(id)}::uuid)`)
  }
  const resto = `${partes.join(' and ')} order by ${ATIVIDADE} desc, v.id desc limit ${valor(pagina.limite + 1)}`
  const lidas = await readConversas(tx, contaId, { resto, values, fila: true })
  const conversas = lidas.slice(0, pagina.limite)
  const ultima = conversas.at(-1)
  if (lidas.length <= pagina.limite || ultima === undefined) return { conversas }
  return { conversas, proximoCursor: `${ultima.ultimaAtividade}_${ultima.id}` }
}

/** Part of the name, or of the phone however it is punctuated. */
function procura(busca: string, valor: (dado: unknown) => string): string {
  const nome = `c.nome ilike ${valor(`%${busca.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)}`
  const digitos = busca.replaceAll(/[\s().+-]/g, '')
  return /^\d+$/.test(digitos) ? `(${nome} or c.telefone like ${valor(`%${digitos}%`)})` : `(${nome})`
}

const UUID = z.uuid()

/** Where an operator's act begins; null for what is not the account's, or is the bot's. */
export async function findAtendida(tx: Tx, contaId: string, id: string) {
  if (!UUID.safeParse(id).success) return null
  const linha = await tx.kysely
    .selectFrom('conversas')
    .select(['contatoId', 'status', 'operadorId', 'operador'])
    .where('contaId', '=', contaId)
    .where('id', '=', id)
    .where('status', '<>', 'bot')
    .executeTakeFirst()
  return linha ?? null
}

interface Tomada {
  readonly id: string
  readonly operadorId: string
  readonly operador: string
  readonly em: Date
}

/** False when it is somebody else's, or over. Taking again what is one's own keeps the first instant. */
export async function takeConversa(
  tx: Tx,
  contaId: string,
  { id, operadorId, operador, em }: Tomada,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update conversas set status = 'em_atendimento', operador_id = $3, operador = $4, nao_lidas = 0,
       assumida_em = case when operador_id = $3 then coalesce(assumida_em, $5) else $5 end
     where conta_id = $1 and id = $2
       and (status = 'aguardando' or (status = 'em_atendimento' and operador_id = $3))`,
    [contaId, id, operadorId, operador, em],
  )
  return rowCount === 1
}

export async function finishConversa(tx: Tx, contaId: string, id: string, em: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update conversas set status = 'finalizada', finalizada_em = $3, motivo_fim = 'atendente'
     where conta_id = $1 and id = $2 and status in ('aguardando', 'em_atendimento')`,
    [contaId, id, em],
  )
  return rowCount === 1
}

/** Everything this operator was serving. Contacts first and in order, as every transaction that changes conversations. */
export async function returnToQueue(
  tx: Tx,
  contaId: string,
  operadorId: string,
): Promise<{ readonly id: string; readonly setor: string | null }[]> {
  await tx.query(
    `select 1 from contatos c where c.conta_id = $1 and c.id in (
       select v.contato_id from conversas v
        where v.conta_id = $1 and v.operador_id = $2 and v.status = 'em_atendimento')
      order by c.id for no key update`,
    [contaId, operadorId],
  )
  return tx.kysely
    .updateTable('conversas')
    .set({ status: 'aguardando', operadorId: null, operador: null, assumidaEm: null })
    .where('contaId', '=', contaId)
    .where('operadorId', '=', operadorId)
    .where('status', '=', 'em_atendimento')
    .returning(['id', 'setor'])
    .execute()
}
