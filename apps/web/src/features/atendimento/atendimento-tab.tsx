import clsx from 'clsx'
import { RotateCw } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useSocketState } from '#shared/realtime/socket.ts'
import { useUsuario } from '#shared/session.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { SetorCards } from './setores/setor-cards.tsx'
import { useSetoresWithDefault } from './lista/use-conversas.ts'
import { type ConversaListFilter, NO_CONVERSA_FILTER } from './lista/filters.ts'
import { FilterBar, ConversaList } from './lista/conversa-list.tsx'
import { useOpenConversa } from './conversa/use-open-conversa.ts'
import { useSelection } from './use-selecao.ts'
import { useSetorCounts, useSetorOf, useVisibleConversas } from './lista/use-visible-conversas.ts'

const loadChat = () => import('./conversa/chat.tsx')
const Chat = memo(lazy(async () => ({ default: (await loadChat()).Chat })))
const Toolbar = memo(lazy(async () => ({ default: (await import('./toolbar.tsx')).Toolbar })))
const TestConversa = memo(lazy(async () => ({ default: (await import('./testar.tsx')).TestConversa })))
const MoreConversas = lazy(async () => ({ default: (await import('./lista/list-footer.tsx')).MoreConversas }))
const DebugInfo = lazy(async () => ({ default: (await import('./depuracao.tsx')).DebugInfo }))
const NoOpenConversa = lazy(async () => ({ default: (await import('./nenhuma-aberta.tsx')).NoOpenConversa }))
const ConversaDetails = memo(lazy(async () => ({ default: (await import('./conversa/details.tsx')).ConversaDetails })))

export interface AtendimentoTabProps {
  readonly menu?: ReactNode
}

export function AtendimentoTab({ menu }: AtendimentoTabProps) {
  const umaColuna = !useMediaQuery('(min-width: 64rem)')
  const largo = useMediaQuery('(min-width: 84rem)')
  const selecao = useSelection(umaColuna)
  const { setores: servidos } = useUsuario()
  const mine = servidos === undefined || servidos.length === 0 ? null : servidos
  const [chosen, setFiltro] = useState<ConversaListFilter>({ ...NO_CONVERSA_FILTER, ownSetores: mine })
  // The dono may change the operador's setores while the list is open.
  const filtro = useMemo(() => (chosen.ownSetores === null ? chosen : { ...chosen, ownSetores: mine }), [chosen, mine])
  const { abertas, visiveis, doServidor, ...lista } = useVisibleConversas(filtro)
  const setores = useSetoresWithDefault()
  const contagens = useSetorCounts(abertas.conversas, abertas.hasMore)
  const search = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const { tipo: socket } = useSocketState()
  useEffect(() => void loadChat().catch(() => undefined), [])

  const setorDe = useSetorOf(setores, abertas.conversas)
  const { id: abertaId } = selecao
  const carregando = lista.carregando || abertas.loading
  // Deferred, so that the card reacts to the click before the heavier chat renders.
  const requested = useOpenConversa(selecao, abertas.conversas, doServidor, carregando)
  const desenhada = useDeferredValue(requested)
  const open = requested === undefined ? undefined : desenhada

  useHotkeys({
    '/': (event) => {
      event.preventDefault()
      const compositor = document.querySelector<HTMLTextAreaElement>('[data-compositor]')
      if (umaColuna && compositor !== null) compositor.focus()
      else search.current?.focus()
    },
    Escape: () => {
      if (abertaId !== undefined) selecao.fechar()
    },
  })

  // On a phone it goes below the last row, to leave the height to the rows.
  const depuracao = (
    <Suspense>
      <DebugInfo
        rows={[
          ['Conversas', abertas.conversas.length],
          ['Na tela', visiveis.length],
          ['Tempo real', socket],
          ['Selecionada', abertaId ?? 'nenhuma'],
        ]}
      />
    </Suspense>
  )
  const proxima = visiveis.find(({ status }) => status === 'aguardando')
  return (
    <div
      data-tela-cheia
      className="-m-3 flex min-h-0 flex-1 flex-col overflow-hidden bg-surface sm:-m-6 lg:m-0 lg:rounded-card lg:border lg:shadow-card"
    >
      <div
        className={clsx(
          'items-center justify-end gap-1 border-b bg-bg px-2 py-1 max-sm:flex-wrap',
          umaColuna && open !== undefined ? 'hidden' : 'flex',
        )}
      >
        <SetorCards
          setores={setores}
          counts={abertas.loading ? null : contagens}
          filter={filtro}
          onChange={setFiltro}
        />
        <Suspense>
          <Toolbar setores={setores} />
        </Suspense>
        {menu}
        <IconButton
          label="Atualizar"
          className="!size-11"
          disabled={abertas.refetching}
          icon={<RotateCw size={18} aria-hidden className={abertas.refetching ? 'animate-spin' : undefined} />}
          onClick={abertas.reload}
        />
      </div>
      <div className="flex min-h-0 flex-1">
        <section
          aria-label="Lista de conversas"
          className={clsx(
            'min-h-0 w-full flex-col lg:w-80 lg:flex-none lg:border-r 2xl:w-96',
            umaColuna && open !== undefined ? 'hidden' : 'flex',
          )}
        >
          <FilterBar filter={filtro} onChange={setFiltro} inputRef={search} ownSetores={mine} />
          <div ref={frame} className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain">
            {abertas.error !== null && abertas.conversas.length > 0 && (
              <p role="status" className="bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
                {abertas.fromCopy ? 'Cópia guardada neste aparelho. ' : 'Não foi possível atualizar. '}
                <button type="button" className="min-h-8 underline" onClick={abertas.reload}>
                  Tentar de novo
                </button>
              </p>
            )}
            <ConversaList
              scroller={frame}
              conversas={visiveis}
              setorOf={setorDe}
              openId={abertaId}
              loading={lista.carregando}
              error={lista.erro}
              filter={filtro}
              onClear={() => setFiltro(NO_CONVERSA_FILTER)}
              onOpen={selecao.abrir}
              onRetry={lista.tentar}
              footer={
                <Suspense>
                  {lista.temMais && (
                    <MoreConversas scroller={frame} loadedCount={lista.lidas} loadMore={lista.carregarMais} />
                  )}
                  {umaColuna && depuracao}
                </Suspense>
              }
              emptyAction={
                <Suspense>
                  <TestConversa setores={setores} />
                </Suspense>
              }
            />
          </div>
          {!umaColuna && depuracao}
        </section>
        {open !== undefined ? (
          // The chat has its own boundary: while its chunk loads, list and empty state stay visible.
          <Suspense key="chat" fallback={<div className="wall flex-1" />}>
            <Chat
              key={open.id}
              conversa={open}
              setor={setorDe(open.setor)}
              setores={setores}
              fromCopy={abertas.fromCopy}
              wide={largo}
              onClose={selecao.fechar}
            />
            {largo && (
              <aside aria-label="Detalhes" className="relative w-60 flex-none overflow-y-auto border-l p-4 2xl:w-72">
                <ConversaDetails key={open.id} conversa={open} setor={setorDe(open.setor)} />
              </aside>
            )}
          </Suspense>
        ) : (
          !umaColuna && (
            <Suspense key="nenhuma" fallback={<div className="wall flex-1" />}>
              <NoOpenConversa
                hasConversas={visiveis.length > 0 || carregando}
                next={proxima?.id}
                onOpen={selecao.abrir}
              />
            </Suspense>
          )
        )}
      </div>
    </div>
  )
}
