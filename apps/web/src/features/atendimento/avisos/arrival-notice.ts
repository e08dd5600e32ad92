import type { QueryClient } from '@tanstack/react-query'
import { mayReadQueue, readerOf } from '@balcao/contract/conversa-access'
import { AVISO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Usuario } from '@balcao/contract/entities/usuario'
import type { ServerEvent, ServerEventPayloads } from '@balcao/contract/realtime'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { knownConversas } from '#shared/data/conversas/known-conversas.ts'
import { AVAILABILITY_QUERY } from '#features/atendimento/availability.tsx'
import { readPreferences } from './preferences.ts'
import { playSound } from './sound.ts'
import { claimNotice } from './leader-tab.ts'

export interface NoticeListener {
  readonly client: QueryClient
  readonly usuario: Usuario
  readonly openId: string | undefined
  /** `mensagemId`: the mensagem or nota to which the chat scrolls. */
  readonly open: (id: string, mensagemId?: string) => void
  readonly openPedidos: () => void
}

interface ArrivalNotice {
  /** Identical in all browser tabs: it is the lock name. */
  readonly key: string
  readonly conversaId: string
  /** The nota that mentions this person, who then receives the notice of any conversa. */
  readonly notaId?: string
  readonly title: string
  readonly text: string
  readonly sentence: string
  readonly durationMs: number
  /** The event itself says that it concerns this person. */
  readonly assigned?: true
  /** A notice that the server keeps for this person. */
  readonly kept?: true
  /** An order concerns every person who receives the event. */
  readonly pedido?: true
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function assignmentNotice(
  { conversaId, automatica, operadorId, situacao }: ServerEventPayloads['conversaAssumida'],
  ownId: string,
): ArrivalNotice | null {
  if (automatica !== true || operadorId !== ownId) return null
  return {
    key: `atribuida:${conversaId}:${situacao?.revisao ?? ''}`,
    conversaId,
    title: 'Conversa para você',
    text: 'Responda quando puder.',
    sentence: 'Você recebeu uma conversa.',
    durationMs: AVISO.novaConversaMs,
    assigned: true,
  }
}

function withCustomer(notice: ArrivalNotice, conversa: Conversa | null): ArrivalNotice {
  if (notice.assigned !== true || conversa === null) return notice
  const { nome } = conversa.cliente
  return { ...notice, text: nome, sentence: `Você recebeu a conversa de ${nome}.` }
}

function mentionNotice(
  { conversaId, nota: { id, texto, autor, autorId, mencoes } }: ServerEventPayloads['notaConversa'],
  ownId: string,
): ArrivalNotice | null {
  if (autorId === ownId || !mencoes.includes(ownId)) return null
  const title = `${autor} mencionou você em uma nota`
  return {
    ...{ key: `mencao:${id}`, conversaId, notaId: id, title, text: shorten(texto), sentence: `${title}.` },
    durationMs: AVISO.novaConversaMs,
  }
}

const KEPT_TITLES = { lembrete: 'Lembrete', transferida: 'Conversa para você' } as const

/** The other kinds have a notice from their own event, or concern no conversa. */
function keptNotice({
  aviso: { id, tipo, texto, conversaId },
}: ServerEventPayloads['avisoNovo']): ArrivalNotice | null {
  if (conversaId === undefined || (tipo !== 'lembrete' && tipo !== 'transferida')) return null
  return {
    ...{ key: `aviso:${id}`, conversaId, title: KEPT_TITLES[tipo], text: shorten(texto), sentence: shorten(texto) },
    durationMs: AVISO.novaConversaMs,
    kept: true,
  }
}

/** Null for an order that this person wrote. */
function pedidoNotice(
  { pedido: { id, numero, cliente, conversaId }, autorId }: ServerEventPayloads['pedidoNovo'],
  ownId: string,
): ArrivalNotice | null {
  if (autorId === ownId) return null
  const title = `Novo pedido nº ${numero}`
  return {
    ...{ key: `pedido:${id}`, conversaId, title, text: cliente, sentence: title },
    durationMs: AVISO.novaConversaMs,
    pedido: true,
  }
}

function noticeOf({ evento, dados }: ServerEvent, { id: ownId }: Usuario): ArrivalNotice | null {
  if (evento === 'notaConversa') return mentionNotice(dados, ownId)
  if (evento === 'conversaAssumida') return assignmentNotice(dados, ownId)
  if (evento === 'avisoNovo') return keptNotice(dados)
  if (evento === 'pedidoNovo') return pedidoNotice(dados, ownId)
  if (evento === 'novaConversaHumana') {
    const { id, cliente, agenteMeta } = dados.conversa
    if (dados.atualizada === true || agenteMeta === true) return null
    return {
      key: `nova:${id}`,
      conversaId: id,
      title: 'Nova conversa',
      text: cliente.nome,
      sentence: `Nova conversa: ${cliente.nome}`,
      durationMs: AVISO.novaConversaMs,
    }
  }
  if (evento !== 'mensagemConversaHumana' || dados.mensagem.tipo !== 'recebida' || dados.marcada === true) return null
  const { id, remetente } = dados.mensagem
  const short = shorten(summarizeMensagem(dados.mensagem))
  return {
    key: `mensagem:${id}`,
    conversaId: dados.conversaId,
    title: remetente,
    text: short,
    sentence: short === '' ? `Nova mensagem de ${remetente}` : `${remetente}: ${short}`,
    durationMs: AVISO.novaMensagemMs,
  }
}

/** Reads the cached list, else asks the server: the panel may show another tab without a list. */
async function findConversa(client: QueryClient, id: string): Promise<Conversa | null> {
  const known = knownConversas(client).byId.get(id)
  if (known !== undefined) return known
  try {
    return (await call(conversaHumanaRoute, { params: { id } })).conversa
  } catch {
    return null
  }
}

/**
 * Level `aguardando`: waiting conversas of my setores and of Geral. Level `tudo`: also mine, those without an operador, and
 * unknown ones. Never those that only Meta's agent serves.
 */
function isRelevant(conversa: Conversa | null, usuario: Usuario, level: 'tudo' | 'aguardando'): boolean {
  if (conversa === null) return level === 'tudo'
  if (conversa.status === 'aguardando') return mayReadQueue(readerOf(usuario), conversa)
  const { operadorId, agenteMeta } = conversa
  return level === 'tudo' && (operadorId === usuario.id || (operadorId === undefined && agenteMeta !== true))
}

/** The distribution gives a conversa to a free person within about a second. */
const DISTRIBUTION_MS = 3_000
const MODE_STALE_MS = 60_000

/** System notifications of a browser without a service worker, by tag. */
const shown = new Map<string, Notification>()

/** The next person at this device must not read a customer's words. */
addEventListener('saiu', () => void closeNotifications().catch(() => undefined))

async function closeNotifications(): Promise<void> {
  for (const notification of shown.values()) notification.close()
  shown.clear()
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
}

/**
 * A notice of the service worker and the push of the same arrival have the same tag, so the second one replaces the first
 * without a sound. Browsers do not replace notices of a page in this way.
 */
async function notifySystem(
  { title, text, conversaId, notaId }: ArrivalNotice,
  open: NoticeListener['open'],
): Promise<void> {
  if (document.visibilityState === 'visible' || !('Notification' in window)) return
  if (Notification.permission !== 'granted') return
  const tag = notaId === undefined ? `conversa:${conversaId}` : `mencao:${conversaId}`
  const options = { body: text, tag, icon: '/icon.svg', data: { conversaId, mensagemId: notaId } }
  const registration = await navigator.serviceWorker?.getRegistration()
  if (registration?.active !== undefined && registration.active !== null) {
    await registration.showNotification(title, options)
    return
  }
  const notification = new Notification(title, options)
  shown.set(tag, notification)
  notification.addEventListener('click', () => {
    window.focus()
    open(conversaId, notaId)
    notification.close()
  })
}

export function onNotificationClick(open: NoticeListener['open']): () => void {
  const { serviceWorker } = navigator
  const listen = ({ data, ports: [worker] }: MessageEvent<unknown>): void => {
    if (typeof data !== 'object' || data === null || !('abrirConversa' in data)) return
    worker?.postMessage(true)
    const mensagemId = 'mensagem' in data && typeof data.mensagem === 'string' ? data.mensagem : undefined
    open(String(data.abrirConversa), mensagemId)
  }
  serviceWorker?.addEventListener('message', listen)
  return () => serviceWorker?.removeEventListener('message', listen)
}

const isLookingAt = (conversaId: string, openId: string | undefined): boolean =>
  conversaId === openId && document.visibilityState === 'visible'

/** Whether the server gives waiting conversas to people. Without an answer people take them. */
async function readMode(client: QueryClient): Promise<{ readonly automatica: boolean; readonly disponivel: boolean }> {
  try {
    return await client.fetchQuery({ ...AVAILABILITY_QUERY, staleTime: MODE_STALE_MS })
  } catch {
    return { automatica: false, disponivel: true }
  }
}

/** The panel shows this person as 'Ausente', so waiting customers are announced to the others. */
export async function isAway(client: QueryClient): Promise<boolean> {
  const { automatica, disponivel } = await readMode(client)
  return automatica && !disponivel
}

/**
 * The conversa of an event. With automatic distribution an event of a waiting conversa counts only if the conversa still
 * waits some seconds later. Otherwise another event informs the person who got it: returns undefined.
 */
async function findArrived(
  { evento, dados }: ServerEvent,
  { client }: NoticeListener,
  id: string,
): Promise<Conversa | null | undefined> {
  const conversa = evento === 'novaConversaHumana' ? dados.conversa : await findConversa(client, id)
  if (conversa?.status !== 'aguardando') return conversa
  const { automatica, disponivel } = await readMode(client)
  if (!automatica) return conversa
  if (!disponivel) return undefined
  await new Promise((resolve) => setTimeout(resolve, DISTRIBUTION_MS))
  const now = await findConversa(client, id)
  return now?.status === 'aguardando' ? now : undefined
}

/** The conversa of a notice that concerns this person, null if it is unknown. Undefined: no notice. */
async function findConcerned(
  received: ServerEvent,
  { conversaId, notaId, assigned, kept, pedido }: ArrivalNotice,
  listener: NoticeListener,
  level: 'tudo' | 'aguardando',
): Promise<Conversa | null | undefined> {
  if (notaId !== undefined || kept === true || pedido === true) return null
  // The cached list may still hold the conversa as waiting.
  if (assigned === true) return findConversa(listener.client, conversaId)
  const conversa = await findArrived(received, listener, conversaId)
  return conversa !== undefined && isRelevant(conversa, listener.usuario, level) ? conversa : undefined
}

export async function notifyArrival(received: ServerEvent, listener: NoticeListener): Promise<void> {
  const { nivel, som, volume } = readPreferences()
  const notice = noticeOf(received, listener.usuario)
  if (notice === null) return
  const { conversaId, notaId, durationMs, key } = notice
  const isViewing = (): boolean => notice.pedido !== true && isLookingAt(conversaId, listener.openId)
  const viewing = isViewing()
  if (nivel === 'nada') return
  // A tab that shows the conversa also claims the notice, so the other tabs stay silent.
  if (!(await claimNotice(key)) || viewing || isViewing()) return
  const conversa = await findConcerned(received, notice, listener, nivel)
  if (conversa === undefined) return
  const named = withCustomer(notice, conversa)
  const open = (): void => (notice.pedido === true ? listener.openPedidos() : listener.open(conversaId, notaId))
  // The bell counts it already, as one that the server keeps.
  const counted = notice.kept === true || notaId !== undefined ? { replaces: key } : {}
  notify.info(named.sentence, { durationMs, action: { label: 'Abrir', run: open }, ...counted })
  if (som) playSound(volume)
  await notifySystem(named, listener.open).catch(() => undefined)
}
