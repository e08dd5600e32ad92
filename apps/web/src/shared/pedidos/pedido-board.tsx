import type { Pedido, StatusPedido } from '@balcao/contract/entities/pedido'
import { nextStatus } from '@balcao/engine/pedidos/status'
import clsx from 'clsx'
import { type DragEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { isTypingOrInDialog, useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import type { MenuItem } from '#shared/ui/menu.tsx'
import { PedidoCard, pedidoButtonId } from './pedido-card.tsx'
import { BOARD_STATUS, PEDIDO_STATUS_LABEL } from './pedido-texts.ts'

export interface PedidoBoardProps {
  readonly pedidos: readonly Pedido[]
  readonly searching: boolean
  readonly nowMs: number
  readonly itemsOf: (pedido: Pedido) => readonly MenuItem[]
  readonly onOpen: (pedido: Pedido) => void
  readonly onMove: (pedido: Pedido, status: StatusPedido) => void
}

/** Oldest first, as the kitchen works. The delivered ones newest first. */
function columnOf(pedidos: readonly Pedido[], status: StatusPedido): readonly Pedido[] {
  const order = status === 'entregue' ? -1 : 1
  return pedidos
    .filter((pedido) => pedido.status === status)
    .toSorted((a, b) => order * (Date.parse(a.criadoEm) - Date.parse(b.criadoEm)))
}

const ARROWS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Arrows move the focus between the cards. Empty columns are skipped. */
function followArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = ARROWS[event.key]
  if (step === undefined || isTypingOrInDialog(event.nativeEvent)) return
  const columns = [...event.currentTarget.querySelectorAll('[data-coluna]')]
    .map((column) => [...column.querySelectorAll<HTMLElement>('[data-pedido]')])
    .filter((cards) => cards.length > 0)
  const isHere = (card: HTMLElement): boolean => card.contains(document.activeElement)
  const column = columns.findIndex((cards) => cards.some(isHere))
  const row = columns[column]?.findIndex(isHere) ?? -1
  const cards = columns[column + step[0]]
  if (row < 0 || cards === undefined) return
  const card = cards[Math.min(row + step[1], step[0] === 0 ? Infinity : cards.length - 1)]
  if (card === undefined) return
  event.preventDefault()
  card.querySelector<HTMLElement>('[data-abre-pedido]')?.focus()
}

const focusedPedidoId = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-pedido]')?.dataset['pedido']

/** A moved card is drawn in another column, so it would lose the focus. */
function useKeptFocus() {
  const moved = useRef<string | null>(null)
  useLayoutEffect(() => {
    const id = moved.current
    if (id === null || document.activeElement !== document.body) return
    moved.current = null
    const title = document.getElementById(pedidoButtonId(id)) ?? document.querySelector<HTMLElement>('[data-coluna] h3')
    title?.focus()
  })
  return (id: string): void => {
    moved.current = focusedPedidoId() === id ? id : null
  }
}

/** Wide enough for four columns next to the side menu. */
const FOUR_COLUMNS = '(min-width: 70rem)'

export function PedidoBoard(props: PedidoBoardProps) {
  const { pedidos, onMove } = props
  const wide = useMediaQuery(FOUR_COLUMNS)
  const [shown, setShown] = useState<StatusPedido>('novo')
  const [dragged, setDragged] = useState<Pedido | null>(null)
  const keepFocus = useKeptFocus()
  const move = (pedido: Pedido, status: StatusPedido): void => {
    keepFocus(pedido.id)
    onMove(pedido, status)
  }
  useHotkeys({
    p: () => {
      const pedido = pedidos.find(({ id }) => id === focusedPedidoId())
      const next = pedido === undefined ? undefined : nextStatus(pedido)[0]
      if (pedido !== undefined && next !== undefined && next !== 'cancelado') move(pedido, next)
    },
  })
  const columns = wide ? BOARD_STATUS : [shown]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {!wide && <ColumnSwitch pedidos={pedidos} shown={shown} onShow={setShown} />}
      <div
        role="group"
        aria-label="Quadro de pedidos"
        className={clsx('grid items-start gap-3', wide ? 'grid-cols-4' : 'grid-cols-[minmax(0,1fr)]')}
        onKeyDown={followArrow}
      >
        {columns.map((status) => (
          <Column
            key={status}
            {...props}
            status={status}
            wide={wide}
            dragged={dragged}
            onDrag={setDragged}
            onMove={move}
          />
        ))}
      </div>
    </div>
  )
}

interface ColumnSwitchProps {
  readonly pedidos: readonly Pedido[]
  readonly shown: StatusPedido
  readonly onShow: (status: StatusPedido) => void
}

const SHORT_LABEL = { ...PEDIDO_STATUS_LABEL, novo: 'Novos', preparo: 'Preparo', saiu: 'Saiu', entregue: 'Entregues' }

function ColumnSwitch({ pedidos, shown, onShow }: ColumnSwitchProps) {
  return (
    <div role="group" aria-label="Etapa" className="grid grid-cols-4 gap-1 rounded-xl bg-sunken p-1">
      {BOARD_STATUS.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === shown}
          onClick={() => onShow(status)}
          className={clsx(
            'min-h-11 min-w-0 rounded-lg text-xs font-semibold',
            status === shown ? 'bg-surface shadow-card' : 'text-muted',
          )}
        >
          <span className="block truncate">{SHORT_LABEL[status]}</span>
          <span className="tabular-nums">{columnOf(pedidos, status).length}</span>
        </button>
      ))}
    </div>
  )
}

interface ColumnProps extends PedidoBoardProps {
  readonly status: StatusPedido
  readonly wide: boolean
  readonly dragged: Pedido | null
  readonly onDrag: (pedido: Pedido | null) => void
}

function columnTitle(status: StatusPedido, searching: boolean): string {
  if (status !== 'entregue') return PEDIDO_STATUS_LABEL[status]
  return searching ? 'Entregues' : 'Entregues hoje'
}

function Column({ pedidos, status, wide, searching, nowMs, dragged, ...on }: ColumnProps) {
  const cards = columnOf(pedidos, status)
  const accepts = dragged !== null && nextStatus(dragged).includes(status)
  const grab = (pedido: Pedido) => (event: DragEvent<HTMLElement>) => {
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', `nº ${pedido.numero}`)
    on.onDrag(pedido)
  }
  return (
    <section
      data-coluna={status}
      aria-label={columnTitle(status, searching)}
      onDragOver={(event) => accepts && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (accepts) on.onMove(dragged, status)
        on.onDrag(null)
      }}
      className={clsx(
        'grid grid-cols-[minmax(0,1fr)] content-start gap-2',
        wide && 'rounded-xl p-2',
        wide && (accepts ? 'bg-brand-soft' : 'bg-sunken'),
      )}
    >
      <h3
        tabIndex={-1}
        className={clsx('flex items-center justify-between px-1 text-sm font-bold', !wide && 'sr-only')}
      >
        {columnTitle(status, searching)} <span className="text-muted tabular-nums">{cards.length}</span>
      </h3>
      {cards.length === 0 && <p className="px-1 py-3 text-center text-sm text-muted">Nenhum pedido nesta etapa.</p>}
      <ul className={clsx('grid grid-cols-[minmax(0,1fr)] gap-2', !wide && 'sm:grid-cols-2')}>
        {cards.map((pedido) => (
          <PedidoCard
            key={pedido.id}
            pedido={pedido}
            nowMs={nowMs}
            items={on.itemsOf(pedido)}
            onGrab={wide && nextStatus(pedido).length > 0 ? grab(pedido) : undefined}
            onDrop={() => on.onDrag(null)}
            onOpen={() => on.onOpen(pedido)}
            onMove={(next) => on.onMove(pedido, next)}
          />
        ))}
      </ul>
    </section>
  )
}
