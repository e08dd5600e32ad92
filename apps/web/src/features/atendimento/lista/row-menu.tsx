import type { Conversa } from '@balcao/contract/entities/conversa'
import { fixarRoute, lembrarRoute } from '@balcao/contract/routes/atendimento-leituras'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { AlarmClock, AlarmClockOff, MessageCircleDashed, MessageSquareText, Pin, PinOff } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { instantOf } from '#features/atendimento/agendadas/schedule-time.ts'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { formatDateTime, formatIsoDate } from '#shared/format.ts'
import { focusItem, MENU_CLASS, MenuEntry, type MenuItem } from '#shared/ui/menu.tsx'
import { useNow } from './waiting-time.ts'
import { changeMarks, markRead, marksOf, markUnread, unreadCount } from './reading.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONDAY = 1

async function pin(client: QueryClient, { id }: Conversa, fixada: boolean): Promise<void> {
  changeMarks(client, id, { fixada })
  try {
    await call(fixarRoute, { params: { id }, body: { fixada } })
  } catch (error) {
    changeMarks(client, id, { fixada: !fixada })
    notify.erro(errorMessage(error))
  }
}

async function remind(client: QueryClient, conversa: Conversa, em: string | null): Promise<void> {
  const { id, cliente } = conversa
  const { lembrarEm: before } = marksOf(conversa)
  changeMarks(client, id, { lembrarEm: em ?? undefined })
  try {
    await call(lembrarRoute, { params: { id }, body: { em } })
    notify.sucesso(
      em === null
        ? `${cliente.nome} voltou para a sua lista.`
        : `Você será lembrado de ${cliente.nome} em ${formatDateTime(em)}.`,
    )
  } catch (error) {
    changeMarks(client, id, { lembrarEm: before })
    notify.erro(errorMessage(error))
  }
}

/** 8 h of a day from now on, in the time zone of the conta. */
function morningIn(days: number, nowMs: number): string {
  return new Date(instantOf(`${formatIsoDate(nowMs + days * DAY_MS)}T08:00`)).toISOString()
}

function daysToMonday(nowMs: number): number {
  const weekday = new Date(`${formatIsoDate(nowMs)}T12:00:00Z`).getUTCDay()
  return (MONDAY - weekday + 7) % 7 || 7
}

function readItem(client: QueryClient, conversa: Conversa): MenuItem {
  return unreadCount(conversa) > 0
    ? {
        label: 'Marcar como lida',
        icon: <MessageSquareText size={18} aria-hidden />,
        run: () => void markRead(client, conversa).catch((error: unknown) => notify.erro(errorMessage(error))),
      }
    : {
        label: 'Marcar como não lida',
        icon: <MessageCircleDashed size={18} aria-hidden />,
        run: () => void markUnread(client, conversa.id),
      }
}

function pinItem(client: QueryClient, conversa: Conversa): MenuItem {
  const { fixada } = marksOf(conversa)
  const Icon = fixada ? PinOff : Pin
  return {
    label: fixada ? 'Soltar do topo' : 'Fixar no topo',
    icon: <Icon size={18} aria-hidden />,
    run: () => void pin(client, conversa, !fixada),
  }
}

function remindItems(client: QueryClient, conversa: Conversa, nowMs: number): MenuItem[] {
  if (marksOf(conversa).lembrarEm !== undefined) {
    const icon = <AlarmClockOff size={18} aria-hidden />
    return [{ label: 'Tirar lembrete', icon, run: () => void remind(client, conversa, null) }]
  }
  const choices = [
    { label: 'Lembrar em 1 hora', em: new Date(nowMs + HOUR_MS).toISOString() },
    { label: 'Lembrar amanhã às 8 h', em: morningIn(1, nowMs) },
    { label: 'Lembrar na segunda às 8 h', em: morningIn(daysToMonday(nowMs), nowMs) },
  ]
  return choices.map(({ label, em }) => ({
    label,
    icon: <AlarmClock size={18} aria-hidden />,
    run: () => void remind(client, conversa, em),
  }))
}

/** The acts of one row. Another group of acts is another function here. */
function itemsOf(client: QueryClient, conversa: Conversa, nowMs: number): readonly MenuItem[] {
  const own = [readItem(client, conversa), pinItem(client, conversa)]
  return conversa.status === 'finalizada' ? own.slice(0, 1) : [...own, ...remindItems(client, conversa, nowMs)]
}

export interface RowMenuProps {
  readonly conversa: Conversa
  readonly at: { readonly x: number; readonly y: number }
  readonly onClose: () => void
}

/** Opens at the pointer, or at the row for the key of the context menu. */
export function RowMenu({ conversa, at, onClose }: RowMenuProps) {
  const client = useQueryClient()
  const panel = useRef<HTMLDivElement>(null)
  const nowMs = useNow()
  useLayoutEffect(() => {
    const target = panel.current
    if (target === null) return
    target.showPopover()
    target.style.left = `${Math.max(8, Math.min(at.x, innerWidth - target.offsetWidth - 8))}px`
    target.style.top = `${Math.max(8, Math.min(at.y, innerHeight - target.offsetHeight - 8))}px`
    target.querySelector('button')?.focus()
  }, [at])
  return (
    <div
      ref={panel}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={`Ações de ${conversa.cliente.nome}`}
      className={MENU_CLASS}
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        focusItem(panel.current, event.key === 'ArrowDown' ? 1 : -1)
      }}
    >
      {itemsOf(client, conversa, nowMs).map((item) => (
        <MenuEntry
          key={item.label}
          item={item}
          onRun={() => {
            panel.current?.hidePopover()
            item.run()
          }}
        />
      ))}
    </div>
  )
}
