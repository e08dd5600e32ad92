import type { Conversa } from '@balcao/contract/entities/conversa'
import { fixarRoute, lembrarRoute } from '@balcao/contract/routes/atendimento-leituras'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  AlarmClock,
  AlarmClockOff,
  ArrowLeftRight,
  CircleCheck,
  MessageCircleDashed,
  MessageSquareText,
  Pin,
  PinOff,
  SquareCheck,
  SquareMinus,
  Tags,
} from 'lucide-react'
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { RowAct } from '#features/atendimento/selecao/row-question.tsx'
import { remindChoices } from '#features/atendimento/selecao/remind-times.ts'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { formatDateTime } from '#shared/format.ts'
import { focusItem, MENU_CLASS, MenuEntry, type MenuItem } from '#shared/ui/menu.tsx'
import { useNow } from './waiting-time.ts'
import { changeMarks, markRead, marksOf, markUnread, unreadCount } from './reading.ts'

const RowQuestion = lazy(async () => ({
  default: (await import('#features/atendimento/selecao/row-question.tsx')).RowQuestion,
}))

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
  return remindChoices(nowMs).map(({ label, em }) => ({
    label,
    icon: <AlarmClock size={18} aria-hidden />,
    run: () => void remind(client, conversa, em),
  }))
}

type Ask = (act: RowAct) => void

function questionItems({ contatoId, status }: Conversa, ask: Ask): MenuItem[] {
  const etiquetas = { label: 'Etiquetas…', icon: <Tags size={18} aria-hidden />, run: () => ask('etiquetas') }
  const ofOpen = [
    { label: 'Transferir…', icon: <ArrowLeftRight size={18} aria-hidden />, run: () => ask('transferir') },
    { label: 'Finalizar…', icon: <CircleCheck size={18} aria-hidden />, run: () => ask('finalizar') },
  ]
  return [...(contatoId === undefined ? [] : [etiquetas]), ...(status === 'finalizada' ? [] : ofOpen)]
}

function selectItem(selected: boolean, onSelect: () => void): MenuItem {
  const Icon = selected ? SquareMinus : SquareCheck
  return {
    label: selected ? 'Tirar da seleção' : 'Selecionar',
    icon: <Icon size={18} aria-hidden />,
    run: onSelect,
  }
}

interface RowContext extends Pick<RowMenuProps, 'conversa' | 'selected' | 'onSelect'> {
  readonly client: QueryClient
  readonly nowMs: number
  readonly ask: Ask
}

/** The acts of one row. Another group of acts is another function here. */
function itemsOf({ client, conversa, nowMs, ask, selected, onSelect }: RowContext): readonly MenuItem[] {
  const open = conversa.status !== 'finalizada'
  return [
    readItem(client, conversa),
    ...(open ? [pinItem(client, conversa)] : []),
    selectItem(selected, onSelect),
    ...questionItems(conversa, ask),
    ...(open ? remindItems(client, conversa, nowMs) : []),
  ]
}

export interface RowMenuProps {
  readonly conversa: Conversa
  readonly at: { readonly x: number; readonly y: number }
  readonly selected: boolean
  readonly onSelect: () => void
  readonly onClose: () => void
}

/** The menu, and after it the dialog of the chosen act. */
export function RowMenu(props: RowMenuProps) {
  const [act, setAct] = useState<RowAct | null>(null)
  if (act === null) return <RowActs {...props} onAsk={setAct} />
  return (
    <Suspense>
      <RowQuestion conversa={props.conversa} act={act} onClose={props.onClose} />
    </Suspense>
  )
}

/** Opens at the pointer, or at the row for the key of the context menu. */
function RowActs({ conversa, at, selected, onSelect, onClose, onAsk }: RowMenuProps & { readonly onAsk: Ask }) {
  const client = useQueryClient()
  const panel = useRef<HTMLDivElement>(null)
  const nowMs = useNow()
  const items = itemsOf({ client, conversa, nowMs, ask: onAsk, selected, onSelect })
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
      {items.map((item) => (
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
