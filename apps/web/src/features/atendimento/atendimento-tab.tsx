import { isRestricted, readerOf } from '@balcao/contract/conversa-access'
import clsx from 'clsx'
import { RotateCw } from 'lucide-react'
import {
  lazy,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useKeptScroll } from '#features/atendimento/kept-scroll.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useUsuario } from '#shared/session.tsx'
import { type RowSelection, useRowSelection } from '#shared/selection/use-row-selection.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { useSendWaiting } from './mensagem/use-send-waiting.ts'
import { useOpenConversa, useSelection } from './conversa/use-open-conversa.ts'
import { ConversaList } from './lista/conversa-list.tsx'
import { ListHead } from './filtros/list-head.tsx'
import { useConversaFilter } from './filtros/use-conversa-filter.ts'
import { NO_CONVERSA_FILTER } from './lista/filters.ts'
import { useVisibleConversas } from './lista/use-conversas.ts'
import { useViewCounts } from './filtros/view-counts.ts'
import { useSetoresWithDefault, useSetorOf } from './setores/use-setores.ts'

const MensagemSearch = lazy(async () => ({ default: (await import('./busca/mensagem-search.tsx')).MensagemSearch }))
const BotList = lazy(async () => ({ default: (await import('./acoes/bot-list.tsx')).BotList }))
const loadChat = () => import('./conversa/chat.tsx')
const loadEmptyStates = () => import('./lista/empty-states.tsx')
const Chat = memo(lazy(async () => ({ default: (await loadChat()).Chat })))
const NoOpenConversa = lazy(async () => ({ default: (await loadEmptyStates()).NoOpenConversa }))
const Toolbar = memo(lazy(async () => ({ default: (await import('./toolbar.tsx')).Toolbar })))
const MoreConversas = lazy(async () => ({ default: (await import('./lista/more-conversas.tsx')).MoreConversas }))
const TestMenu = memo(lazy(async () => ({ default: (await import('./test-conversa.tsx')).TestMenu })))

const SEARCH_MIN = 2

type Atendimento = ReturnType<typeof useAtendimento>

function useAtendimento() {
  const singleColumn = !useMediaQuery('(min-width: 64rem)')
  const selection = useSelection(singleColumn)
  const filtering = useConversaFilter()
  const list = useVisibleConversas(filtering.filter)
  useSendWaiting()
  const { conversas } = list.open
  const setores = useSetoresWithDefault()
  const loading = list.loading || list.open.loading
  const usuario = useUsuario()
  const restricted = isRestricted(readerOf(usuario))
  const requested = useOpenConversa(selection, { open: conversas, fromServer: list.fromServer, loading, restricted })
  const [filtersOpen, setFiltersOpen] = useState(false)
  // Deferred, so that the card reacts to the click before the heavier chat renders.
  const rendered = useDeferredValue(requested)
  return {
    ...filtering,
    filtersOpen,
    setFiltersOpen,
    contagens: useViewCounts(),
    list,
    loading,
    selection,
    setores,
    setorOf: useSetorOf(setores, conversas),
    chatConversa: requested === undefined ? undefined : rendered,
    singleColumn,
  }
}

function useTabHotkeys(
  { selection, singleColumn, setFiltersOpen }: Atendimento,
  rows: RowSelection,
  search: RefObject<HTMLInputElement | null>,
): void {
  useHotkeys({
    '/': (event) => {
      event.preventDefault()
      const composer = document.querySelector<HTMLTextAreaElement>('[data-compositor]')
      if (singleColumn && composer !== null) return composer.focus()
      // On a phone the field is among the filters.
      if (singleColumn) setFiltersOpen(true)
      requestAnimationFrame(() => search.current?.focus())
    },
    Escape: () => {
      if (rows.ids.size > 0) return rows.clear()
      if (selection.id !== undefined) selection.close()
    },
  })
}

interface PartProps {
  readonly atendimento: Atendimento
  readonly hidden: boolean
}

/** On a phone it opens together with the filters. */
function TopBar({ atendimento, hidden, menu }: PartProps & { menu: ReactNode }) {
  const { setores, list, filtersOpen } = atendimento
  const { refetching, reload } = list.open
  return (
    <div
      className={clsx(
        'flex-wrap items-center border-b bg-bg px-1 sm:gap-x-0.5 sm:px-2',
        hidden ? 'hidden' : 'flex',
        !filtersOpen && 'max-lg:hidden',
      )}
    >
      <Suspense>
        <Toolbar setores={setores} />
      </Suspense>
      {menu}
      <IconButton
        label="Atualizar"
        size="touch"
        disabled={refetching}
        icon={<RotateCw size={18} aria-hidden className={refetching ? 'animate-spin' : undefined} />}
        onClick={reload}
      />
    </div>
  )
}

function OutdatedNotice({ list: { open } }: Pick<Atendimento, 'list'>) {
  if (open.error === null || open.conversas.length === 0) return null
  return (
    <p role="status" className="bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
      {open.fromCopy ? 'Cópia guardada neste aparelho. ' : 'Não foi possível atualizar. '}
      <button type="button" className="min-h-8 underline" onClick={open.reload}>
        Tentar de novo
      </button>
    </p>
  )
}

interface ListFrameProps extends Pick<PartProps, 'atendimento'> {
  readonly frame: RefObject<HTMLDivElement | null>
  readonly field: RefObject<HTMLInputElement | null>
  readonly children: ReactNode
}

/** The list, which stays mounted with its rows and their focus while the results of a search replace it. */
function ListFrame({ atendimento: { list, filter, setFilter }, frame, field, children }: ListFrameProps) {
  const [wanted, setWanted] = useState(false)
  const { busca, linha } = filter
  const active = wanted && busca.trim().length >= SEARCH_MIN
  const onLinha = (chosen: string | null): void => setFilter({ ...filter, linha: chosen })
  useKeptScroll(frame, active ? 'mensagens' : String(list.narrowed))
  return (
    <div
      ref={frame}
      // The browser would move the frame when the offer to search appears above the rows.
      className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
    >
      <OutdatedNotice list={list} />
      <Suspense>
        {busca !== '' && (
          <MensagemSearch query={busca} onActive={setWanted} onLinha={onLinha} {...{ linha, field, active }} />
        )}
      </Suspense>
      <div hidden={active}>{children}</div>
    </div>
  )
}

interface RowsProps extends Pick<ListFrameProps, 'atendimento' | 'frame'> {
  readonly rows: RowSelection
}

function Rows({ atendimento, frame, rows }: RowsProps) {
  const { list, filter, setFilter, selection, setores, setorOf, singleColumn } = atendimento
  if (filter.status === 'bot') {
    return (
      <Suspense>
        <BotList busca={filter.busca} linha={filter.linha} />
      </Suspense>
    )
  }
  const footer = list.hasMore && (
    <Suspense>
      <MoreConversas scroller={frame} loadedCount={list.loadedCount} loadMore={list.loadMore} />
    </Suspense>
  )
  return (
    <ConversaList
      scroller={frame}
      conversas={list.visible}
      setorOf={setorOf}
      openId={selection.id}
      rows={rows}
      phone={singleColumn}
      loading={list.loading}
      error={list.error}
      filter={filter}
      onClear={() => setFilter(NO_CONVERSA_FILTER)}
      onOpen={selection.open}
      onRetry={list.retry}
      footer={footer}
      emptyAction={
        <Suspense>
          <TestMenu setores={setores} />
        </Suspense>
      }
    />
  )
}

function ListColumn({ atendimento, hidden }: PartProps) {
  const { list, filter, setFilter, contagens, filtersOpen, setFiltersOpen, setores } = atendimento
  const search = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const rows = useRowSelection(list.visible)
  useTabHotkeys(atendimento, rows, search)
  const toggleFilters = useCallback(() => setFiltersOpen((open) => !open), [setFiltersOpen])
  return (
    <section
      aria-label="Lista de conversas"
      className={clsx(
        'min-h-0 w-full flex-col lg:w-72 lg:flex-none lg:border-r xl:w-80 2xl:w-96',
        hidden ? 'hidden' : 'flex',
      )}
    >
      <ListHead
        {...{ filter, contagens, rows, setores }}
        onChange={setFilter}
        inputRef={search}
        open={filtersOpen}
        onToggle={toggleFilters}
        conversas={list.open.conversas}
        hasMore={list.open.hasMore}
        listed={list.visible}
      />
      <ListFrame atendimento={atendimento} frame={frame} field={search}>
        <Rows {...{ atendimento, frame, rows }} />
      </ListFrame>
    </section>
  )
}

function ChatColumn({
  chatConversa,
  contagens,
  list,
  loading,
  selection,
  setores,
  setorOf,
  singleColumn,
}: Atendimento) {
  if (chatConversa !== undefined) {
    // The chat has its own boundary: while its chunk loads, list and empty state stay visible.
    return (
      <Suspense fallback={<div className="wall flex-1" />}>
        <Chat
          key={chatConversa.id}
          conversa={chatConversa}
          setor={setorOf(chatConversa.setor)}
          setores={setores}
          fromCopy={list.open.fromCopy}
          phone={singleColumn}
          onClose={selection.close}
        />
      </Suspense>
    )
  }
  if (singleColumn) return null
  return (
    // Its own boundary: in the one of the chat, the list would wait until the chunk of the chat is loaded.
    <Suspense key="vazio" fallback={<div className="wall flex-1" />}>
      <NoOpenConversa
        hasConversas={list.visible.length > 0 || loading}
        next={contagens?.esperaMaisLonga?.conversaId}
        onOpen={selection.open}
      />
    </Suspense>
  )
}

export function AtendimentoTab({ menu }: { readonly menu?: ReactNode }) {
  const atendimento = useAtendimento()
  useEffect(() => void Promise.all([loadChat(), loadEmptyStates()]).catch(() => undefined), [])
  const hidden = atendimento.singleColumn && atendimento.chatConversa !== undefined
  return (
    <div data-tela-cheia className="flex min-h-0 flex-1 flex-col overflow-hidden bg-surface">
      <TopBar atendimento={atendimento} hidden={hidden} menu={menu} />
      <div className="flex min-h-0 flex-1">
        <ListColumn atendimento={atendimento} hidden={hidden} />
        <ChatColumn {...atendimento} />
      </div>
    </div>
  )
}
