import type { Conversa, StatusConversa } from '@balcao/contract/entities/conversa'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import {
  lazy,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { chooseByClick, focusRow, useRowKeys } from '#features/atendimento/selecao/row-keys.ts'
import type { SetorLook } from '#features/atendimento/setores/use-setores.ts'
import { useLinhaOf } from '#shared/conta/linha-look.ts'
import { RowCheck } from '#shared/selection/row-check.tsx'
import { rowIdOf, type RowSelection } from '#shared/selection/use-row-selection.ts'
import { Skeleton } from '#shared/ui/states.tsx'
import { ConversaCard, type ConversaCardProps } from './conversa-card.tsx'
import type { ConversaListFilter } from './filters.ts'
import type { RowMenuProps } from './row-menu.tsx'

/** Loaded with the first row under the pointer. The chat needs the same file. */
async function prefetch(client: QueryClient, conversaId: string): Promise<void> {
  const { prefetchMensagens } = await import('#features/atendimento/conversa/use-mensagens.ts')
  prefetchMensagens(client, conversaId)
}

const RowMenu = lazy(async () => ({ default: (await import('./row-menu.tsx')).RowMenu }))
const EmptyConversaList = lazy(async () => ({ default: (await import('./empty-states.tsx')).EmptyConversaList }))

function ConversaListSkeleton() {
  return (
    <div role="status" aria-label="Carregando as conversas" aria-busy="true">
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row} className="flex items-center gap-2.5 border-b px-3 py-1">
          <Skeleton className="size-10 flex-none rounded-full" />
          <div className="grid flex-1 gap-1.5">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        </div>
      ))}
    </div>
  )
}

export interface ConversaListProps {
  readonly scroller: RefObject<HTMLElement | null>
  readonly conversas: readonly Conversa[]
  readonly setorOf: (id: string) => SetorLook
  readonly openId: string | undefined
  readonly rows: RowSelection
  readonly phone: boolean
  readonly loading: boolean
  readonly error: Error | null
  readonly filter: ConversaListFilter
  readonly onClear: () => void
  readonly onOpen: (id: string) => void
  readonly onRetry: () => void
  readonly footer: ReactNode
  readonly emptyAction: ReactNode
}

/** The state that all rows of the list have. */
function shownStateOf({ visao, status }: ConversaListFilter): StatusConversa | undefined {
  if (status !== 'todos' && status !== 'bot') return status
  if (visao === 'minhas') return 'em_atendimento'
  return visao === 'fila' ? 'aguardando' : undefined
}

export function ConversaList({ conversas, loading, error, filter, ...rest }: ConversaListProps) {
  if (loading) return <ConversaListSkeleton />
  return (
    <>
      {conversas.length > 0 ? (
        <ConversaRows {...rest} conversas={conversas} shownState={shownStateOf(filter)} />
      ) : (
        <Suspense>
          <EmptyConversaList
            error={error}
            filter={filter}
            action={rest.emptyAction}
            onClear={rest.onClear}
            onRetry={rest.onRetry}
          />
        </Suspense>
      )}
      {rest.footer}
    </>
  )
}

const OVERSCAN = 6
const ESTIMATED_HEIGHT = 69

interface VirtualRange {
  readonly start: number
  readonly end: number
  readonly height: number
}

/** Row height depends on the font size: measures the first rendered row. */
function useRowHeight(scroller: RefObject<HTMLElement | null>, empty: boolean): number {
  const [rowHeight, setRowHeight] = useState(ESTIMATED_HEIGHT)
  useLayoutEffect(() => {
    const row = empty ? null : scroller.current?.querySelector('[data-linha]')
    if (row === null || row === undefined) return
    const measure = new ResizeObserver(() => {
      const { height } = row.getBoundingClientRect()
      // Zero while the row is unmounted or the list is hidden behind an open chat.
      if (height > 0) setRowHeight(height)
    })
    measure.observe(row)
    return () => measure.disconnect()
  }, [scroller, empty])
  return rowHeight
}

/**
 * Rows to render: 10,000 rows of one fixed height render about 20.
 * `@tanstack/react-virtual` does the same with 10 KB more in the first load.
 */
function useVirtualRange(scroller: RefObject<HTMLElement | null>, total: number): VirtualRange {
  const height = useRowHeight(scroller, total === 0)
  const [view, setView] = useState({ first: 0, count: 12 })
  useEffect(() => {
    const target = scroller.current
    if (target === null) return
    const update = (): void => {
      const first = Math.floor(target.scrollTop / height)
      const count = Math.ceil(target.clientHeight / height) + 1
      setView((before) => (before.first === first && before.count === count ? before : { first, count }))
    }
    const resize = new ResizeObserver(update)
    resize.observe(target)
    target.addEventListener('scroll', update, { passive: true })
    return () => {
      resize.disconnect()
      target.removeEventListener('scroll', update)
    }
  }, [scroller, height])
  const start = Math.max(0, Math.min(view.first, total) - OVERSCAN)
  return { start, end: Math.min(total, view.first + view.count + OVERSCAN), height }
}

const PREFETCH_AFTER_MS = 80

function usePrefetchChat() {
  const client = useQueryClient()
  const wait = useRef<ReturnType<typeof setTimeout>>(undefined)
  return (event: SyntheticEvent, delayMs = PREFETCH_AFTER_MS): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-conversa]') : null
    const id = row?.dataset['conversa']
    clearTimeout(wait.current)
    if (id !== undefined) wait.current = setTimeout(() => void prefetch(client, id).catch(() => undefined), delayMs)
  }
}

type ConversaRowsProps = Pick<
  ConversaListProps,
  'scroller' | 'conversas' | 'setorOf' | 'openId' | 'rows' | 'phone' | 'onOpen'
> & {
  readonly shownState: StatusConversa | undefined
}

/** The context menu of a row: right click, long press or the key of the menu. */
function useRowMenu(conversas: readonly Conversa[], rows: RowSelection) {
  const [shown, setShown] = useState<Pick<RowMenuProps, 'conversa' | 'at'> | null>(null)
  const openMenu = (event: MouseEvent): void => {
    const id = rowIdOf(event.target)
    const conversa = conversas.find((row) => row.id === id)
    if (conversa === undefined) return
    event.preventDefault()
    setShown({ conversa, at: { x: event.clientX, y: event.clientY } })
  }
  const close = (): void => {
    setShown(null)
    if (shown !== null) focusRow(shown.conversa.id)
  }
  const menu = shown !== null && (
    <Suspense>
      <RowMenu
        at={shown.at}
        conversa={conversas.find(({ id }) => id === shown.conversa.id) ?? shown.conversa}
        selected={rows.ids.has(shown.conversa.id)}
        onSelect={() => rows.toggle(shown.conversa.id, false)}
        onClose={close}
      />
    </Suspense>
  )
  return { menu, openMenu }
}

/** A finger has no hover, so it begins with the menu of a row. */
const HOVERS = matchMedia('(hover: hover)').matches

interface ConversaRowProps extends ConversaCardProps {
  readonly index: number
  readonly total: number
  readonly top: number
  readonly chosen: RowSelection
}

function ConversaRow({ index, total, top, chosen, ...card }: ConversaRowProps) {
  const { id, cliente } = card.conversa
  const checked = chosen.ids.has(id)
  const choosing = chosen.ids.size > 0
  return (
    <li
      data-linha={id}
      aria-setsize={total}
      aria-posinset={index + 1}
      className={clsx('group absolute inset-x-0', checked && 'bg-brand-soft')}
      style={{ top }}
    >
      <ConversaCard {...card} />
      {(choosing || HOVERS) && (
        <RowCheck
          name={cliente.nome}
          checked={checked}
          shown={choosing}
          className="absolute inset-y-0 left-0 w-16"
          onToggle={(range) => chosen.toggle(id, range)}
        />
      )}
    </li>
  )
}

function ConversaRows({
  scroller,
  conversas,
  setorOf,
  openId,
  rows: chosen,
  phone,
  shownState,
  onOpen,
}: ConversaRowsProps) {
  const { start, end, height } = useVirtualRange(scroller, conversas.length)
  const { focused, setFocused } = useRowKeys(conversas, openId, chosen)
  const prefetch = usePrefetchChat()
  const { menu, openMenu } = useRowMenu(conversas, chosen)
  const linhaOf = useLinhaOf()
  const rows = conversas.slice(start, end).map((conversa, position) => ({ conversa, index: start + position }))
  // The focused row stays rendered, or the focus would be lost.
  const focusedIndex = focused === null ? -1 : conversas.findIndex(({ id }) => id === focused)
  const outside = conversas[focusedIndex]
  if (outside !== undefined && (focusedIndex < start || focusedIndex >= end)) {
    rows.push({ conversa: outside, index: focusedIndex })
  }
  return (
    <>
      <ul
        aria-label="Conversas"
        className="relative"
        style={{ height: conversas.length * height }}
        onPointerOver={prefetch}
        onContextMenu={openMenu}
        onPointerDown={(event) => prefetch(event, 0)}
        onFocus={(event) => {
          prefetch(event)
          setFocused(rowIdOf(event.target))
        }}
        {...chooseByClick(chosen, phone)}
      >
        {rows.map(({ conversa, index }) => (
          <ConversaRow
            key={conversa.id}
            {...{ conversa, index, shownState, onOpen, chosen }}
            total={conversas.length}
            top={index * height}
            setor={setorOf(conversa.setor)}
            linha={linhaOf(conversa.linha)}
            open={conversa.id === openId}
          />
        ))}
      </ul>
      {menu}
    </>
  )
}
