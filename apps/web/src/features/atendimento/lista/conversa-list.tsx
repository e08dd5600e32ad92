import type { Conversa, StatusConversa } from '@balcao/contract/entities/conversa'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
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
import type { SetorLook } from '#features/atendimento/setores/use-setores.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { Skeleton } from '#shared/ui/states.tsx'
import { ConversaCard } from './conversa-card.tsx'
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

function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`[data-conversa="${CSS.escape(id)}"]`)?.focus()
}

function useRowNavigation(conversas: readonly Conversa[], openId: string | undefined) {
  const [focused, setFocused] = useState<string | null>(null)
  const requested = useRef<string | null>(null)
  const advance = (step: number): void => {
    const current = document.activeElement?.getAttribute('data-conversa') ?? openId
    const index = conversas.findIndex(({ id }) => id === current)
    const destination = conversas[index < 0 ? 0 : Math.min(conversas.length - 1, Math.max(0, index + step))]
    if (destination === undefined) return
    requested.current = destination.id
    setFocused(destination.id)
    focusRow(destination.id)
  }
  useHotkeys({ j: () => advance(1), k: () => advance(-1) })
  useEffect(() => {
    if (requested.current === focused && focused !== null) focusRow(focused)
    requested.current = null
  }, [focused])
  return { focused, setFocused }
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

type ConversaRowsProps = Pick<ConversaListProps, 'scroller' | 'conversas' | 'setorOf' | 'openId' | 'onOpen'> & {
  readonly shownState: StatusConversa | undefined
}

/** The context menu of a row: right click, long press or the key of the menu. */
function useRowMenu(conversas: readonly Conversa[]) {
  const [shown, setShown] = useState<Omit<RowMenuProps, 'onClose'> | null>(null)
  const openMenu = (event: MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-conversa]') : null
    const conversa = conversas.find(({ id }) => id === row?.dataset['conversa'])
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
      <RowMenu {...shown} onClose={close} />
    </Suspense>
  )
  return { menu, openMenu }
}

function ConversaRows({ scroller, conversas, setorOf, openId, shownState, onOpen }: ConversaRowsProps) {
  const { start, end, height } = useVirtualRange(scroller, conversas.length)
  const { focused, setFocused } = useRowNavigation(conversas, openId)
  const prefetch = usePrefetchChat()
  const { menu, openMenu } = useRowMenu(conversas)
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
          setFocused(event.target.getAttribute('data-conversa'))
        }}
      >
        {rows.map(({ conversa, index }) => (
          <li
            key={conversa.id}
            data-linha
            aria-setsize={conversas.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0"
            style={{ top: index * height }}
          >
            <ConversaCard
              conversa={conversa}
              setor={setorOf(conversa.setor)}
              open={conversa.id === openId}
              shownState={shownState}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
      {menu}
    </>
  )
}
