import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useUsuario } from '#shared/session.tsx'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { whenIdle } from '#shared/when-idle.ts'
import { isAway, notifyArrival, onNotificationClick } from './arrival-notice.ts'
import { readPreferences } from './preferences.ts'
import { playSound } from './sound.ts'
import { claimNotice } from './leader-tab.ts'
import { useMissedEvents } from './use-missed-events.ts'

const TOTALS_AFTER_MS = 1_000
const REPEAT_EVERY_MS = 30_000

function useFreshTotals(): void {
  const client = useQueryClient()
  useEffect(() => {
    let wait: ReturnType<typeof setTimeout> | undefined
    const stop = onSocketEvent(({ evento }) => {
      if (!/conversa/i.test(evento) || evento === 'botConversaAtiva' || evento === 'mensagemConversaHumana') return
      wait ??= setTimeout(() => {
        wait = undefined
        void client.invalidateQueries({ queryKey: QUERY_KEYS.atendimento })
      }, TOTALS_AFTER_MS)
    })
    return () => {
      stop()
      clearTimeout(wait)
    }
  }, [client])
}

function useBadges(aguardando: number): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    icon?.setAttribute('href', aguardando > 0 ? '/icon-aviso.svg' : '/icon.svg')
    if (!('setAppBadge' in navigator)) return
    void navigator.setAppBadge(aguardando).catch(() => undefined)
  }, [aguardando])
  // Outside the panel the count is not updated: reset icon and badge.
  useEffect(
    () => () => {
      document.querySelector('link[rel=icon]')?.setAttribute('href', '/icon.svg')
      if ('clearAppBadge' in navigator) void navigator.clearAppBadge().catch(() => undefined)
    },
    [],
  )
}

async function repeatSound(client: QueryClient, volume: number): Promise<void> {
  if (!(await isAway(client)) && (await claimNotice('repetir'))) playSound(volume)
}

function useRepeatSound(aguardando: number): void {
  const client = useQueryClient()
  const anyWaiting = aguardando > 0
  useEffect(() => {
    if (!anyWaiting) return
    const timer = setInterval(() => {
      const { nivel, som, volume, repetir } = readPreferences()
      if (nivel === 'nada' || !som || !repetir) return
      void repeatSound(client, volume)
    }, REPEAT_EVERY_MS)
    return () => clearInterval(timer)
  }, [anyWaiting, client])
}

async function renewPush(usuarioId: string): Promise<void> {
  await whenIdle()
  const { refreshPush } = await import('./push-subscription.ts')
  await refreshPush(usuarioId)
}

interface NoticeWatcherProps {
  readonly aguardando: number
}

const serves = ({ tipo, componentesPermitidos }: Usuario): boolean =>
  tipo === 'admin' || componentesPermitidos.atendimentoHumano

/** People with the shop alone receive orders and no conversas. */
export function NoticeWatcher({ aguardando }: NoticeWatcherProps) {
  return (
    <>
      {serves(useUsuario()) && <ConversaWatcher aguardando={aguardando} />}
      <ArrivalWatcher />
    </>
  )
}

function ConversaWatcher({ aguardando }: NoticeWatcherProps) {
  useFreshTotals()
  useMissedEvents()
  useBadges(aguardando)
  useRepeatSound(aguardando)
  return null
}

function ArrivalWatcher() {
  const usuario = useUsuario()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { aba, c } = useSearch({ strict: false })
  const listener = useEffectEvent(() => ({
    client,
    usuario,
    openId: (aba ?? (usuario.tipo === 'operador' ? 'atendimento' : '')) === 'atendimento' ? c : undefined,
    open: (id: string, m?: string) => void navigate({ to: '/dashboard', search: { aba: 'atendimento', c: id, m } }),
    openPedidos: () =>
      void navigate({
        to: '/dashboard',
        search: usuario.tipo === 'operador' ? { aba: 'pedidos' } : { aba: 'loja', lista: 'pedidos' },
      }),
  }))
  const { contaId, id } = usuario
  useEffect(() => void renewPush(id).catch(() => undefined), [id])
  useEffect(
    () =>
      onSocketEvent((received) => {
        if (received.dados.userId === contaId) void notifyArrival(received, listener())
      }),
    [contaId],
  )
  useEffect(() => onNotificationClick((...target) => listener().open(...target)), [])
  return null
}
