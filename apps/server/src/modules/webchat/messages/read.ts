import type { ChatEstado, ChatMensagem } from '@balcao/contract/entities/webchat'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type ChatEvent, EVENTS_PAGE, findEventOf, findLastEvent, listEvents, listUnread } from './events.ts'
import type { ChatVisit } from '../visit.ts'

type ReadDeps = Pick<Deps, 'db' | 'webchat' | 'fileLinks'>

/** A typing event has the number of the last stored event, a point and a count. */
const CURSOR = /^(\d{1,15})(?:\.\d{1,9})?$/

/** Throws `dadosInvalidos`. */
export function parseCursor(text: string): number {
  const [, number] = CURSOR.exec(text) ?? []
  if (number === undefined) throw new AppError('dadosInvalidos')
  return Number(number)
}

export function toChatMensagem(
  { fileLinks }: Pick<Deps, 'fileLinks'>,
  { contaId, empresa, nome }: ChatVisit,
  event: ChatEvent,
): ChatMensagem {
  const { id, propria, operador, texto, em, estado, lida } = event
  const midia = event.midia === null ? {} : { midia: signed(fileLinks, contaId, event.midia) }
  const shared = { id, texto, em, ...midia }
  if (propria) return { ...shared, de: 'visitante', autor: nome, estado: lida ? 'lida' : 'entregue' }
  // The visitor reads it now.
  return { ...shared, de: 'loja', autor: operador ?? empresa, estado: estado === 'enviada' ? 'entregue' : estado }
}

/** `<img>` and `<audio>` of the frame send no token. */
function signed({ sign }: Deps['fileLinks'], contaId: string, midia: Midia): Midia {
  return midia.url === undefined ? midia : { ...midia, url: sign(contaId, midia.url) }
}

export function toStateEvent({ id, tipo }: ChatEvent): ChatEstado {
  return { id, estado: tipo === 'lida' ? 'lida' : 'entregue' }
}

/** The visitor received these events. */
export function markDelivered({ webchat }: ReadDeps, { contaId }: ChatVisit, events: readonly ChatEvent[]): void {
  for (const { tipo, propria, estado, mensagemId } of events) {
    if (tipo === 'mensagem' && !propria && estado === 'enviada') webchat.receipt(contaId, mensagemId, 'entregue')
  }
}

interface ChatPage {
  readonly mensagens: ChatMensagem[]
  readonly proximoCursor: string | null
}

export async function readMessages(deps: ReadDeps, visit: ChatVisit, depois: string | undefined): Promise<ChatPage> {
  const { contaId, endereco } = visit
  const after = depois === undefined ? 0 : parseCursor(depois)
  const { events, last } = await deps.db.read(contaId, async (tx) => ({
    events: await listEvents(tx, { contaId, endereco, after, only: 'mensagem' }),
    last: await findLastEvent(tx, { contaId, endereco }),
  }))
  markDelivered(deps, visit, events)
  // The messages hold their state, so events of states before the last message are not needed.
  const end = events.length === EVENTS_PAGE ? events.at(-1)?.ordem : Math.max(last ?? 0, after)
  return {
    mensagens: events.map((event) => toChatMensagem(deps, visit, event)),
    proximoCursor: end === undefined || end === 0 ? null : String(end),
  }
}

/** Throws `naoEncontrado` for an unknown message. */
export async function markChatRead(
  { db, webchat }: ReadDeps,
  { contaId, endereco }: ChatVisit,
  id: string,
): Promise<void> {
  const unread = await db.read(contaId, async (tx) => {
    const event = await findEventOf(tx, { contaId, endereco, id })
    if (event === null) throw new AppError('naoEncontrado')
    return listUnread(tx, { contaId, endereco, until: event.ordem })
  })
  for (const mensagem of unread) webchat.receipt(contaId, mensagem.id, 'lida')
}
