import {
  ArrowLeftRight,
  Bot,
  CalendarClock,
  EllipsisVertical,
  Hand,
  Info,
  ListRestart,
  MessageCircleDashed,
  PanelRight,
  RotateCcw,
  ShoppingBag,
  StickyNote,
} from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { REABRIR_DIAS } from '@balcao/contract/constants'
import type { ConversaActs } from '#features/atendimento/acoes/chat-questions.tsx'
import type { DetailsState } from '#features/atendimento/detalhes/use-details.ts'
import { isFree, mayRelease } from '#features/atendimento/lista/filters.ts'
import { isTakenByOther } from '#features/atendimento/envio/use-send.ts'
import { markUnread } from '#features/atendimento/lista/reading.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useStartPedido, useTakesPedidos } from '#shared/pedidos/new-pedido.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { useNow } from '#features/atendimento/lista/waiting-time.ts'
import { focusChat } from '#features/atendimento/focus-chat.ts'

interface ReopenButtonProps {
  readonly conversa: Conversa
  readonly busy: boolean
  readonly onReopen: (conversa: Conversa) => Promise<void>
}

/** Shown for 7 days after the end. Later a new conversa is needed. */
function ReopenButton({ conversa, busy, onReopen }: ReopenButtonProps) {
  const { status, finalizadaEm } = conversa
  const now = useNow()
  if (status !== 'finalizada' || finalizadaEm === undefined) return null
  if (now - Date.parse(finalizadaEm) > REABRIR_DIAS * 24 * 3_600_000) return null
  return (
    <Button
      variant="primary"
      className="max-lg:min-h-11 max-lg:flex-1"
      busy={busy}
      onClick={() => void onReopen(conversa)}
    >
      {!busy && <RotateCcw size={18} aria-hidden />} Reabrir
    </Button>
  )
}

export interface ChatActionBarProps {
  readonly conversa: Conversa
  readonly acts: ConversaActs
  readonly open: boolean
  /** On a phone the actions are below the messages, in reach of the thumb. Otherwise they are in the header. */
  readonly phone: boolean
  readonly details: DetailsState
  readonly onNota: () => void
  readonly onClose: () => void
}

interface TakeButtonProps {
  readonly busy: boolean
  readonly onTake: () => Promise<void>
}

function TakeButton({ busy, onTake }: TakeButtonProps) {
  // The clicked button disappears.
  const takeByPointer = async (): Promise<void> => {
    await onTake()
    focusChat()
  }
  return (
    <Button
      variant="primary"
      className={ACTION_CLASS}
      busy={busy}
      aria-keyshortcuts="a"
      title="Assumir (A)"
      onClick={() => void takeByPointer()}
    >
      {!busy && <Hand size={18} aria-hidden className="max-[21.5rem]:hidden" />} Assumir
    </Button>
  )
}

const ACTION_CLASS = 'max-lg:min-h-11 max-lg:flex-1 max-lg:px-2'

interface OpenActionsProps {
  readonly busy: boolean
  readonly onTransfer: () => void
  readonly onFinish: () => void
}

function OpenActions({ busy, onTransfer, onFinish }: OpenActionsProps) {
  return (
    <>
      <Button
        className={`${ACTION_CLASS} lg:w-10 lg:border-transparent lg:bg-transparent lg:px-0`}
        aria-keyshortcuts="t"
        title="Transferir (T)"
        disabled={busy}
        onClick={onTransfer}
      >
        <ArrowLeftRight size={18} aria-hidden className="max-sm:hidden" />{' '}
        <span className="lg:sr-only">Transferir</span>
      </Button>
      <Button className={ACTION_CLASS} aria-keyshortcuts="e" title="Finalizar (E)" disabled={busy} onClick={onFinish}>
        Finalizar
      </Button>
    </>
  )
}

function DetailsToggle({ panel, overlay, toggle }: DetailsState) {
  return (
    <IconButton
      label="Detalhes"
      aria-expanded={panel || overlay}
      aria-keyshortcuts="i"
      className="aria-expanded:text-brand-ink"
      icon={<PanelRight size={18} aria-hidden />}
      onClick={toggle}
    />
  )
}

function MoreMenu({ phone, items }: Pick<ChatActionBarProps, 'phone'> & { readonly items: readonly MenuItem[] }) {
  if (items.length === 0) return null
  return (
    <Menu
      label="Mais ações"
      button={<EllipsisVertical size={20} aria-hidden />}
      items={items}
      className={`btn btn-ghost btn-icon ${phone ? 'btn-touch ml-auto' : ''}`}
    />
  )
}

const BAR_CLASS = {
  phone: 'pe-do-chat flex items-center gap-1 border-t bg-surface px-2 pt-2 sm:gap-2 sm:px-3',
  header: 'flex flex-none items-center gap-1',
} as const

interface MoreItemsInput extends Pick<ChatActionBarProps, 'phone' | 'open'> {
  readonly releases: boolean
  readonly takesPedidos: boolean
  readonly colleague: string | null
  readonly run: Readonly<
    Record<'details' | 'nota' | 'pedido' | 'schedule' | 'unread' | 'release' | 'returnToBot' | 'takeOver', () => void>
  >
}

/** The person from whom the owner or an administrator may take the conversa. Null: there is none. */
function colleagueOf(conversa: Conversa, { id, tipo }: ReturnType<typeof useUsuario>): string | null {
  if (tipo === 'operador' || !isTakenByOther(conversa, id)) return null
  return conversa.operador ?? 'outra pessoa'
}

interface TakeOverButtonProps {
  readonly colleague: string | null
  readonly busy: boolean
  readonly onTakeOver: () => void
}

function TakeOverButton({ colleague, busy, onTakeOver }: TakeOverButtonProps) {
  if (colleague === null) return null
  return (
    <Button busy={busy} onClick={onTakeOver}>
      Assumir de {colleague}
    </Button>
  )
}

function moreItems({ phone, open, releases, takesPedidos, colleague, run }: MoreItemsInput): readonly MenuItem[] {
  const takeOver = {
    label: `Assumir de ${colleague ?? ''}`,
    icon: <Hand size={18} aria-hidden />,
    run: run.takeOver,
  }
  const onPhone = [
    ...(colleague === null ? [] : [takeOver]),
    { label: 'Detalhes', icon: <Info size={18} aria-hidden />, run: run.details },
    { label: 'Escrever nota', icon: <StickyNote size={18} aria-hidden />, run: run.nota },
  ]
  const release = { label: 'Devolver à fila', icon: <ListRestart size={18} aria-hidden />, run: run.release }
  const pedido = { label: 'Novo pedido', icon: <ShoppingBag size={18} aria-hidden />, run: run.pedido }
  const onlyOpen = [
    ...(takesPedidos ? [pedido] : []),
    { label: 'Enviar mais tarde', icon: <CalendarClock size={18} aria-hidden />, run: run.schedule },
    { label: 'Marcar como não lida', icon: <MessageCircleDashed size={18} aria-hidden />, run: run.unread },
    ...(releases ? [release] : []),
    { label: 'Devolver ao bot', icon: <Bot size={18} aria-hidden />, run: run.returnToBot },
  ]
  return [...(phone ? onPhone : []), ...(open ? onlyOpen : [])]
}

type ActionKey = 'a' | 'e' | 'i' | 'n' | 'p' | 't' | 'u'

/** Without `preventDefault`, the pressed letter appears in the field that takes the focus. */
const FOCUSES: readonly string[] = ['n', 'p', 't']

function useActionKeys(acts: Readonly<Record<ActionKey, () => unknown>>): void {
  const bound = Object.entries(acts).map(([key, act]): [string, (event: KeyboardEvent) => void] => [
    key,
    (event) => {
      if (FOCUSES.includes(key)) event.preventDefault()
      void act()
    },
  ])
  useHotkeys(Object.fromEntries(bound))
}

/** Starts an order, also when the palette or the details ask for it, in a shop that takes them. */
function useNewPedidoAct(ask: () => void): { readonly takesPedidos: boolean; readonly newPedido: () => void } {
  const takesPedidos = useTakesPedidos()
  const newPedido = (): void => {
    if (takesPedidos) ask()
  }
  useStartPedido(newPedido)
  return { takesPedidos, newPedido }
}

export function ChatActionBar(props: ChatActionBarProps) {
  const { conversa, acts, open, phone, details, onNota, onClose } = props
  const { actions } = acts
  const me = useUsuario()
  const client = useQueryClient()
  const busy = actions.busyId === conversa.id
  const free = open && isFree(conversa)
  const ask = (which: NonNullable<ConversaActs['question']>) => (): void => {
    if (open) acts.ask(which)
  }
  const take = async (): Promise<void> => {
    if (free && !busy) await actions.take(conversa)
  }
  const leaveUnread = (): void => {
    if (!open) return
    void markUnread(client, conversa.id)
    onClose()
  }
  const { takesPedidos, newPedido } = useNewPedidoAct(ask('pedido'))
  useActionKeys({
    ...{ a: take, u: leaveUnread, t: ask('transferir'), e: ask('finalizar'), i: details.toggle },
    ...{ n: onNota, p: newPedido },
  })
  const colleague = colleagueOf(conversa, me)
  const takeOver = (): void => void actions.takeFromColleague(conversa)
  const more = moreItems({
    ...{ phone, open, colleague, takesPedidos, releases: mayRelease(conversa, me) },
    run: {
      details: details.toggle,
      nota: onNota,
      pedido: newPedido,
      schedule: ask('agendar'),
      unread: leaveUnread,
      release: () => void actions.release(conversa),
      returnToBot: ask('devolver'),
      takeOver,
    },
  })
  return (
    <div role="group" aria-label="Ações da conversa" className={BAR_CLASS[phone ? 'phone' : 'header']}>
      <ReopenButton conversa={conversa} busy={busy} onReopen={actions.reopen} />
      {free && <TakeButton busy={busy} onTake={take} />}
      {!phone && <TakeOverButton {...{ colleague, busy }} onTakeOver={takeOver} />}
      {open && <OpenActions busy={busy} onTransfer={ask('transferir')} onFinish={ask('finalizar')} />}
      <MoreMenu phone={phone} items={more} />
      {!phone && <DetailsToggle {...details} />}
    </div>
  )
}
