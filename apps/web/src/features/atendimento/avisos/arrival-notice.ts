import { AVISO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Usuario } from '@balcao/contract/entities/usuario'
import type { ServerEvent, ServerEventPayloads } from '@balcao/contract/realtime'
import { summarizeMensagem } from '@balcao/contract/mensagem-summary'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { readPreferences } from './preferences.ts'
import { playSound } from './sound.ts'
import { claimNotice } from './leader-tab.ts'

export interface NoticeListener {
  readonly client: QueryClient
  readonly usuario: Usuario
  readonly openId: string | undefined
  readonly open: (id: string) => void
}

interface ArrivalNotice {
  /** Identical in all browser tabs: it is the lock name. */
  readonly key: string
  readonly conversaId: string
  readonly title: string
  readonly text: string
  readonly sentence: string
  readonly durationMs: number
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** The server gave the conversa to this person. */
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
  }
}

function noticeOf({ evento, dados }: ServerEvent, { id: ownId }: Usuario): ArrivalNotice | null {
  if (evento === 'conversaAssumida') return assignmentNotice(dados, ownId)
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
  const list = client.getQueryData<{ conversas: readonly Conversa[] }>(QUERY_KEYS.conversas)
  const known = list?.conversas.find((conversa) => conversa.id === id)
  if (known !== undefined) return known
  try {
    return (await call(conversaHumanaRoute, { params: { id } })).conversa
  } catch {
    return null
  }
}

/**
 * Level `aguardando`: waiting conversas of my setores. Level `tudo`: also mine, those without an operador, and
 * unknown ones. Never those that only Meta's agent serves.
 */
export function isRelevant(conversa: Conversa | null, { id, setores }: Usuario, level: 'tudo' | 'aguardando'): boolean {
  if (conversa === null) return level === 'tudo'
  const mine = setores === undefined || setores.length === 0 || setores.includes(conversa.setor)
  if (conversa.status === 'aguardando') return mine
  const { operadorId, agenteMeta } = conversa
  return level === 'tudo' && (operadorId === id || (operadorId === undefined && agenteMeta !== true))
}

/** The last system notification of each conversa. */
const shown = new Map<string, Notification>()

/** The next person at this device must not read a customer's words. */
addEventListener('saiu', () => void closeNotifications().catch(() => undefined))

async function closeNotifications(): Promise<void> {
  for (const notification of shown.values()) notification.close()
  shown.clear()
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
}

async function notifySystem({ title, text, conversaId }: ArrivalNotice, open: (id: string) => void): Promise<void> {
  if (document.visibilityState === 'visible' || !('Notification' in window)) return
  if (Notification.permission !== 'granted') return
  const options = { body: text, tag: `conversa:${conversaId}`, icon: '/icon.svg', data: conversaId }
  try {
    const notification = new Notification(title, options)
    shown.set(conversaId, notification)
    notification.addEventListener('click', () => {
      window.focus()
      open(conversaId)
      notification.close()
    })
  } catch {
    // Phones allow notifications only from the service worker, which handles the click.
    const registration = await navigator.serviceWorker?.getRegistration()
    await registration?.showNotification(title, options)
  }
}

/** Opens the conversa of a notification that the user clicked. Returns a function that stops listening. */
export function onNotificationClick(open: (id: string) => void): () => void {
  const { serviceWorker } = navigator
  const listen = ({ data }: MessageEvent<unknown>): void => {
    if (typeof data === 'object' && data !== null && 'abrirConversa' in data) open(String(data.abrirConversa))
  }
  serviceWorker?.addEventListener('message', listen)
  return () => serviceWorker?.removeEventListener('message', listen)
}

const isLookingAt = (conversaId: string, openId: string | undefined): boolean =>
  conversaId === openId && document.visibilityState === 'visible'

/** Shows the notice for one event, with sound and system notification, in exactly one browser tab. */
export async function notifyArrival(received: ServerEvent, listener: NoticeListener): Promise<void> {
  const { nivel, som, volume } = readPreferences()
  const notice = noticeOf(received, listener.usuario)
  if (notice === null || nivel === 'nada') return
  const { conversaId, sentence, durationMs, key } = notice
  const viewing = isLookingAt(conversaId, listener.openId)
  // A tab that shows the conversa also claims the notice, so the other tabs stay silent.
  if (!(await claimNotice(key)) || viewing || isLookingAt(conversaId, listener.openId)) return
  const conversa =
    received.evento === 'novaConversaHumana' ? received.dados.conversa : await findConversa(listener.client, conversaId)
  if (!isRelevant(conversa, listener.usuario, nivel)) return
  notify.info(sentence, { durationMs, action: { label: 'Abrir', run: () => listener.open(conversaId) } })
  if (som) playSound(volume)
  await notifySystem(notice, listener.open).catch(() => undefined)
}
