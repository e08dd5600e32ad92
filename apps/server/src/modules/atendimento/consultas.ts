import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa, StatusConversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { type ConsultaConversas, conversasDe, findConversaHumana, readConversas } from '#bot/conversa-humana.ts'
import { COLUNAS_MENSAGEM, lerMensagem, type MensagemRow, nomeOuTelefone } from '#bot/mensagem-humana.ts'
import type { Tx } from '#db/transaction.ts'
import { semAcentos } from '#modules/logs/index.ts'
import { AppError } from '#errors.ts'
import { cutPage, type Page } from '#http/page.ts'
import { ehId, findAtendida } from './repository.ts'

interface Pagina {
  readonly limite: number
  /** Cursor: `em` is the last activity of the last conversa on the page before. */
  readonly depoisDe: { readonly em: string; readonly id: string } | null
}

export interface FiltroConversas {
  readonly status?: StatusConversa | 'todos' | undefined
  readonly setor?: string | undefined
  readonly busca?: string | undefined
  readonly mensagens?: number | undefined
  readonly pagina: Pagina
}

const cursorSchema = z.tuple([z.iso.datetime(), z.uuid()])

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

const ABERTAS = ['aguardando', 'em_atendimento'] as const

/**
 * Builds one index scan per status, already in list order, and merges them. The statement name encodes the set of
 * conditions, so each combination is planned once.
 */
export function consultaDaLista(contaId: string, filtro: Omit<FiltroConversas, 'mensagens'>): ConsultaConversas {
  const { status = 'todos', setor, busca = '', pagina: pedida } = filtro
  const values: unknown[] = [contaId]
  const valor = (dado: unknown): string => `$${values.push(dado)}`
  const limite = valor(pedida.limite + 1)
  const condicoes: string[] = []
  const estados = status === 'todos' ? ABERTAS : [status]
  let nome = `conversas-${estados.length}`
  const exigir = (letra: string, condicao: string): void => {
    nome += letra
    condicoes.push(condicao)
  }
  if (setor !== undefined) exigir('s', `v.setor = ${valor(setor)}`)
  if (pedida.depoisDe !== null) {
    const { em, id } = pedida.depoisDe
    exigir('c', `(v.ultima_atividade, v.id) < (${valor(em)}::timestamptz, ${valor(id)}::uuid)`)
  }
  const [letra, condicao] = procura(busca.trim(), valor)
  if (condicao !== '') exigir(letra, condicao)
  const ordem = 'order by v.ultima_atividade desc, v.id desc'
  const deQuem = condicao === '' ? '' : 'join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id'
  const passeios = estados.map(
    (um) => `(select v.* from conversas v ${deQuem}
      where ${['v.conta_id = $1', 'v.protocolo is not null', `v.status = ${valor(um)}`, ...condicoes].join(' and ')}
      ${ordem} limit ${limite})`,
  )
  // The joins of the view run for the page only, not for every scan.
  const pagina = `(select * from (${passeios.join(' union all ')}) v ${ordem} limit ${limite})`
  return { nome, texto: `${conversasDe(pagina)} ${ordem}`, values }
}

/**
 * Lists conversas by last activity, newest first. Finished ones only by filter. Conversas that only the bot served
 * are excluded.
 */
export async function listConversasHumanas(
  tx: Tx,
  contaId: string,
  { mensagens, ...filtro }: FiltroConversas,
): Promise<{ conversas: Conversa[]; proximoCursor?: string }> {
  const { limite } = filtro.pagina
  const lidas = await readConversas(tx, contaId, consultaDaLista(contaId, filtro), mensagens)
  const conversas = lidas.slice(0, limite)
  const ultima = conversas.at(-1)
  if (lidas.length <= limite || ultima === undefined) return { conversas }
  return { conversas, proximoCursor: `${ultima.ultimaAtividade}_${ultima.id}` }
}

/** Ignores case and accents. Names without multi-byte characters skip the slow `normalize`. */
const NOME_SIMPLES = String.raw`case when octet_length(c.nome) = char_length(c.nome) then c.nome
  else regexp_replace(normalize(c.nome, nfd), '[\u0300-\u036f]', '', 'g') end`

/**
 * Matches a part of the name or of the phone digits. Also returns the letter that marks the kind of search in the
 * statement name.
 */
function procura(busca: string, valor: (dado: unknown) => string): readonly [string, string] {
  if (busca === '') return ['', '']
  const parte = semAcentos(busca).replaceAll(/[\\%_]/g, String.raw`\$&`)
  const nome = `${NOME_SIMPLES} ilike ${valor(`%${parte}%`)}`
  const digitos = busca.replaceAll(/[\s().+-]/g, '')
  if (!/^\d+$/.test(digitos)) return ['n', nome]
  return ['t', `(${nome} or c.telefone like ${valor(`%${digitos}%`)})`]
}

export const MENSAGENS = `select ${COLUNAS_MENSAGEM} from mensagens m
where m.conta_id = $1 and m.conversa_id = $2 and m.id < $3 order by m.id desc limit $4`

/** Greater than every UUIDv7. */
const FIM = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns the last page of mensagens, oldest first. The cursor leads to older ones. Throws `naoEncontrado`. */
export async function listMensagensDaConversa(
  tx: Tx,
  contaId: string,
  conversaId: string,
  pagina: Page,
): Promise<{ mensagens: Mensagem[]; proximoCursor?: string }> {
  if (!ehId(conversaId)) throw new AppError('naoEncontrado')
  const valores = [contaId, conversaId, pagina.antesDe ?? FIM, pagina.limite + 1]
  // Both statements are sent in one round trip.
  const [atendida, { rows }] = await Promise.all([
    findAtendida(tx, contaId, conversaId),
    tx.queryNamed<MensagemRow & Record<string, unknown>>('conversa-mensagens', MENSAGENS, valores),
  ])
  if (atendida === null) throw new AppError('naoEncontrado')
  const lidas = rows.map((row) => lerMensagem(row, nomeOuTelefone(atendida)))
  const { itens, ...resto } = cutPage(lidas, pagina)
  return { mensagens: itens.toReversed(), ...resto }
}

export async function readConversa(tx: Tx, contaId: string, id: string): Promise<Conversa> {
  const conversa = ehId(id) ? await findConversaHumana(tx, contaId, id) : null
  if (conversa === null) throw new AppError('naoEncontrado')
  return conversa
}
