import { isRestricted, mayReadSetor, SETOR_GERAL, readerOf } from '@balcao/contract/conversa-access'
import clsx from 'clsx'
import { RotateCw } from 'lucide-react'
import {
  lazy,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useUsuario } from '#shared/session.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { useOpenConversa, useSelection } from './conversa/use-open-conversa.ts'
import { ConversaList } from './lista/conversa-list.tsx'
import { FilterBar } from './filtros/filter-bar.tsx'
import { type ConversaListFilter, NO_CONVERSA_FILTER } from './lista/filters.ts'
import { useVisibleConversas } from './lista/use-conversas.ts'
import { SetorRow } from './setores/setor-row.tsx'
import { useSetorCounts, useSetoresWithDefault, useSetorOf } from './setores/use-setores.ts'

const MensagemSearch = lazy(async () => ({ default: (await import('./busca/mensagem-search.tsx')).MensagemSearch }))
const BotList = lazy(async () => ({ default: (await import('./acoes/bot-list.tsx')).BotList }))
const loadChat = () => import('./conversa/chat.tsx')
const loadEmptyStates = () => import('./lista/empty-states.tsx')
const Chat = memo(lazy(async () => ({ default: (await loadChat()).Chat })))
const NoOpenConversa = lazy(async () => ({ default: (await loadEmptyStates()).NoOpenConversa }))
const Toolbar = memo(lazy(async () => ({ default: (await import('./toolbar.tsx')).Toolbar })))
const DebugInfo = lazy(async () => ({ default: (await import('./debug-info.tsx')).DebugInfo }))
const MoreConversas = lazy(async () => ({ default: (await import('./lista/more-conversas.tsx')).MoreConversas }))
const TestMenu = memo(lazy(async () => ({ default: (await import('./test-conversa.tsx')).TestMenu })))

const SEARCH_MIN = 2

type Atendimento = ReturnType<typeof useAtendimento>

function useConversaFilter() {
  const usuario = useUsuario()
  const reader = useMemo(() => readerOf(usuario), [usuario])
  // An operador of Geral has nothing more to show than their own setores.
  const own = isRestricted(reader) && !reader.setores.includes(SETOR_GERAL) ? reader : null
  const [chosen, setFilter] = useState<ConversaListFilter>({ ...NO_CONVERSA_FILTER, own })
  // The dono may change the operador's setores while the list is open.
  const filter = useMemo(() => (chosen.own === null ? chosen : { ...chosen, own }), [chosen, own])
  return { filter, setFilter, own, reader }
}

function useAtendimento() {
  const singleColumn = !useMediaQuery('(min-width: 64rem)')
  const selection = useSelection(singleColumn)
  const filtering = useConversaFilter()
  const list = useVisibleConversas(filtering.filter)
  const { conversas, hasMore } = list.open
  const setores = useSetoresWithDefault()
  const loading = list.loading || list.open.loading
  const { reader } = filtering
  const restricted = isRestricted(reader)
  const requested = useOpenConversa(selection, { open: conversas, fromServer: list.fromServer, loading, restricted })
  const counts = useSetorCounts(conversas, hasMore)
  // A conversa that the operador serves may be in a setor that they may not read.
  const readableSetores = useMemo(
    () => setores.filter(({ id }) => mayReadSetor(reader, id) || counts.has(id)),
    [setores, reader, counts],
  )
  // Deferred, so that the card reacts to the click before the heavier chat renders.
  const rendered = useDeferredValue(requested)
  return {
    ...filtering,
    list,
    loading,
    selection,
    setores,
    readableSetores,
    counts,
    setorOf: useSetorOf(setores, conversas),
    chatConversa: requested === undefined ? undefined : rendered,
    singleColumn,
  }
}

function useTabHotkeys({ selection, singleColumn }: Atendimento, search: RefObject<HTMLInputElement | null>): void {
  useHotkeys({
    '/': (event) => {
      event.preventDefault()
      const composer = document.querySelector<HTMLTextAreaElement>('[data-compositor]')
      if (singleColumn && composer !== null) composer.focus()
      else search.current?.focus()
    },
    Escape: () => {
      if (selection.id !== undefined) selection.close()
    },
  })
}

interface PartProps {
  readonly atendimento: Atendimento
  readonly hidden: boolean
}

function TopBar({ atendimento, hidden, menu }: PartProps & { menu: ReactNode }) {
  const { setores, readableSetores, counts, filter, setFilter, list } = atendimento
  const { loading, refetching, reload } = list.open
  return (
    <div
      className={clsx(
        'items-center justify-end border-b bg-bg px-1 max-sm:flex-wrap sm:gap-0.5 sm:px-2 lg:py-0.5',
        hidden ? 'hidden' : 'flex',
      )}
    >
      <SetorRow setores={readableSetores} counts={loading ? null : counts} filter={filter} onChange={setFilter} />
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

function useKeptScroll(frame: RefObject<HTMLElement | null>, view: string): void {
  const positions = useRef(new Map<string, number>())
  useLayoutEffect(() => {
    const target = frame.current
    if (target === null) return
    target.scrollTo({ top: positions.current.get(view) ?? 0, behavior: 'instant' })
    // A shorter view moves the frame after this effect, so that the position of the view before stays.
    const store = (): void => void positions.current.set(view, target.scrollTop)
    target.addEventListener('scroll', store)
    return () => target.removeEventListener('scroll', store)
  }, [frame, view])
}

interface ListFrameProps extends Pick<PartProps, 'atendimento'> {
  readonly frame: RefObject<HTMLDivElement | null>
  readonly field: RefObject<HTMLInputElement | null>
  readonly children: ReactNode
}

/** The list, which stays mounted with its rows and their focus while the results of a search replace it. */
function ListFrame({ atendimento: { list, filter }, frame, field, children }: ListFrameProps) {
  const [wanted, setWanted] = useState(false)
  const { busca } = filter
  const active = wanted && busca.trim().length >= SEARCH_MIN
  useKeptScroll(frame, active ? 'mensagens' : String(list.narrowed))
  return (
    <div
      ref={frame}
      // The browser would move the frame when the offer to search appears above the rows.
      className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
    >
      <OutdatedNotice list={list} />
      <Suspense>
        {busca !== '' && <MensagemSearch query={busca} onActive={setWanted} {...{ field, active }} />}
      </Suspense>
      <div hidden={active}>{children}</div>
    </div>
  )
}

function ListColumn({ atendimento, hidden }: PartProps) {
  const { list, filter, setFilter, own, selection, setores, setorOf } = atendimento
  const search = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  useTabHotkeys(atendimento, search)
  const footer = (
    <>
      <Suspense>
        {list.hasMore && <MoreConversas scroller={frame} loadedCount={list.loadedCount} loadMore={list.loadMore} />}
        <DebugInfo loaded={list.open.conversas.length} visible={list.visible.length} selected={selection.id} />
      </Suspense>
    </>
  )
  const conversas =
    filter.status === 'bot' ? (
      <Suspense>
        <BotList busca={filter.busca} />
      </Suspense>
    ) : (
      <ConversaList
        scroller={frame}
        conversas={list.visible}
        setorOf={setorOf}
        openId={selection.id}
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
  return (
    <section
      aria-label="Lista de conversas"
      className={clsx(
        'min-h-0 w-full flex-col lg:w-72 lg:flex-none lg:border-r xl:w-80 2xl:w-96',
        hidden ? 'hidden' : 'flex',
      )}
    >
      <FilterBar filter={filter} onChange={setFilter} inputRef={search} own={own} />
      <ListFrame atendimento={atendimento} frame={frame} field={search}>
        {conversas}
      </ListFrame>
    </section>
  )
}

function ChatColumn({ chatConversa, list, loading, selection, setores, setorOf, singleColumn }: Atendimento) {
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
  const next = list.visible.find(({ status }) => status === 'aguardando')
  return (
    // Its own boundary: in the one of the chat, the list would wait until the chunk of the chat is loaded.
    <Suspense key="vazio" fallback={<div className="wall flex-1" />}>
      <NoOpenConversa hasConversas={list.visible.length > 0 || loading} next={next?.id} onOpen={selection.open} />
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
