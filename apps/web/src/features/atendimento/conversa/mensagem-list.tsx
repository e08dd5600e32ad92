import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { NotaConversa } from '@balcao/contract/entities/nota'
import { ArrowDown } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useRequestedMensagem } from '#features/atendimento/busca/use-requested-mensagem.ts'
import { usePendingSends } from '#features/atendimento/envio/use-send.ts'
import { marksOf, useMarkRead } from '#features/atendimento/lista/reading.ts'
import { WaitingBubbles } from '#features/atendimento/mensagem/waiting-bubbles.tsx'
import { notasByPage } from '#features/atendimento/notas/timeline.ts'
import { useNotas } from '#shared/data/contatos/notas.ts'
import { useRefreshFile } from '#shared/media/refresh-files.ts'
import { RefreshFileContext } from '#shared/media/refresh-file.ts'
import { Button } from '#shared/ui/button.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { MensagemBlock, type MensagemBlockProps, type UnreadDivider } from './mensagem-block.tsx'
import { type MensagemBubbleProps, PendingBubble } from './mensagem-bubble.tsx'
import { useColleagueTyping, useCustomerTyping } from './typing.ts'
import { type ChatScroll, type Pages, useChatScroll } from './use-chat-scroll.ts'
import { type LoadedChat, useChatMensagens } from './use-mensagens.ts'

export interface MensagemListProps {
  readonly conversa: Conversa
  /** The server did not answer: the conversa is the copy of this device. */
  readonly fromCopy?: boolean
  readonly onResend?: ((id: string) => void) | undefined
  readonly onWhy?: ((id: string) => void) | undefined
  readonly onActions?: MensagemBubbleProps['onActions']
}

function MensagemListSkeleton() {
  return (
    <div
      role="status"
      aria-label="Carregando as mensagens"
      aria-busy="true"
      className="wall grid flex-1 content-end gap-3 p-4"
    >
      <Skeleton className="h-10 w-2/5 rounded-2xl" />
      <Skeleton className="h-14 w-3/5 justify-self-end rounded-2xl" />
      <Skeleton className="h-10 w-1/2 rounded-2xl" />
    </div>
  )
}

export function MensagemList(props: MensagemListProps) {
  return (
    <RefreshFileContext value={useRefreshFile(props.conversa.id)}>
      <LoadedMensagens {...props} />
    </RefreshFileContext>
  )
}

function LoadedMensagens(props: MensagemListProps) {
  const chat = useChatMensagens(props.conversa.id)
  if (chat.loaded !== undefined) return <ChatFrame {...props} chat={chat} pages={chat.loaded.pages} />
  const { mensagens } = props.conversa
  const failure = chat.error ?? chat.failure
  if (mensagens.length === 0 && chat.error !== null)
    return <ErrorState message={chat.error.message} onRetry={chat.retry} />
  if (mensagens.length === 0 || (failure === null && props.fromCopy !== true)) return <MensagemListSkeleton />
  return (
    <>
      <p role="alert" className="bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
        {failure?.message ?? 'Sem contato com o servidor.'} Esta é a parte guardada neste aparelho: faltam as outras
        mensagens e as notas.{' '}
        <button type="button" className="min-h-8 underline" onClick={chat.retry}>
          Tentar de novo
        </button>
      </p>
      <ChatFrame {...props} chat={chat} pages={[mensagens]} />
    </>
  )
}

function findUnread(conversa: Conversa, pages: Pages): UnreadDivider | null {
  const { naoLidas: count } = marksOf(conversa)
  if (count === 0 || conversa.status === 'finalizada') return null
  const received = pages.flat().filter(({ tipo }) => tipo === 'recebida')
  const first = received.at(-Math.min(count, received.length))
  if (first === undefined) return null
  return received.length < count ? { id: first.id, count, loadedCount: received.length } : { id: first.id, count }
}

/** A screen reader cannot skip the rest of an announcement. */
const ANNOUNCED_MAX = 500

/** Announces new customer mensagens to screen readers, but neither history nor our own. */
function Announcement({ last }: { last: Mensagem | undefined }) {
  const [lastOnOpen] = useState(last?.id)
  const announced = last?.tipo === 'recebida' && last.id !== lastOnOpen
  return (
    <p role="status" className="sr-only">
      {announced && `${last.remetente}: ${last.texto}`.slice(0, ANNOUNCED_MAX)}
    </p>
  )
}

function TypingDots({ nome }: { nome: string }) {
  return (
    <p
      role="status"
      className="flex items-center gap-1 justify-self-start rounded-2xl rounded-bl-md bg-surface px-3 py-2.5 shadow-card"
    >
      <span className="sr-only">{nome} está digitando</span>
      {[0, 1, 2].map((dot) => (
        <span
          key={dot}
          aria-hidden
          className="size-1.5 animate-bounce rounded-full bg-muted motion-reduce:animate-none"
          style={{ animationDelay: `${dot * 120}ms` }}
        />
      ))}
    </p>
  )
}

function OlderMensagens({ older }: { older: LoadedChat['older'] }) {
  if (!older.exists) return null
  return (
    <div className="mb-3 text-center">
      {older.error !== null && <p className="mb-1 text-sm font-semibold text-danger-ink">{older.error}</p>}
      <Button busy={older.loading} onClick={() => void older.load()}>
        Mensagens anteriores
      </Button>
    </div>
  )
}

type ChatFrameProps = MensagemListProps & { chat: LoadedChat; pages: Pages }

function ChatPages({ pages, notas, unread, ...handlers }: ChatPagesProps) {
  return pages.map((page, index) => (
    <MensagemBlock
      key={page[0]?.id ?? index}
      mensagens={page}
      notas={notas[index] ?? NO_NOTAS}
      before={pages[index - 1]?.at(-1)?.timestamp}
      unread={page.some(({ id }) => id === unread?.id) ? unread : null}
      recent={index >= pages.length - 2}
      {...handlers}
    />
  ))
}

type ChatPagesProps = Pick<MensagemBlockProps, 'onResend' | 'onWhy' | 'onActions' | 'unread'> & {
  pages: Pages
  notas: readonly (readonly NotaConversa[])[]
}

const NO_NOTAS: readonly NotaConversa[] = []

function NotasFailure({ retry }: { retry: () => void }) {
  return (
    <p role="status" className="bg-warn-soft px-3 py-1 text-sm font-semibold text-warn-ink">
      <span>As notas não chegaram.</span>{' '}
      <button type="button" className="min-h-8 underline" onClick={retry}>
        Tentar de novo
      </button>
    </p>
  )
}

function NewMensagensButton({ newCount, scrollDown }: ChatScroll) {
  if (newCount === 0) return null
  return (
    <button
      type="button"
      onClick={scrollDown}
      className="absolute bottom-3 left-1/2 flex min-h-11 -translate-x-1/2 items-center gap-1.5 rounded-full border bg-surface px-4 text-sm font-bold text-brand-ink shadow-pop"
    >
      <ArrowDown size={16} aria-hidden /> {newCount === 1 ? '1 nova' : `${newCount} novas`}
    </button>
  )
}

function ChatFrame({ conversa, chat, pages, onResend, onWhy, onActions }: ChatFrameProps) {
  const { older } = chat
  const frame = useRef<HTMLDivElement>(null)
  const [unread] = useState(() => findUnread(conversa, pages))
  const { data: notas = NO_NOTAS, isError, refetch } = useNotas(conversa.id)
  const placed = useMemo(() => notasByPage(pages, notas, older.exists), [pages, notas, older.exists])
  const pending = usePendingSends(conversa.id)
  const typing = useCustomerTyping(conversa.id)
  const colleague = useColleagueTyping(conversa.id)
  const scroll = useChatScroll(frame, pages, pending.length, () => {
    if (older.error === null) void older.load()
  })
  useMarkRead(conversa)
  useRequestedMensagem(frame, pages, older, notas !== NO_NOTAS || isError)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {isError && notas === NO_NOTAS && chat.loaded !== undefined && <NotasFailure retry={() => void refetch()} />}
      <div
        ref={frame}
        role="log"
        aria-label="Mensagens"
        aria-live="off"
        // A scrollable area must be reachable by keyboard.
        tabIndex={0}
        className="wall relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-3 py-4 -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <OlderMensagens older={older} />
          <ChatPages {...{ pages, unread, onResend, onWhy, onActions }} notas={placed} />
          {pending.length > 0 && (
            <ol className="grid gap-2">
              {pending.map((send) => (
                <PendingBubble key={send.message.id} conversaId={conversa.id} pending={send} />
              ))}
            </ol>
          )}
          <WaitingBubbles conversaId={conversa.id} />
          {typing && <TypingDots nome={conversa.cliente.nome} />}
          {colleague !== undefined && (
            <p role="status" className="justify-self-end text-xs font-semibold text-muted">
              {colleague} está escrevendo…
            </p>
          )}
          {pages.every((page) => page.length === 0) && pending.length === 0 && (
            <p className="py-8 text-center text-sm text-muted">Nenhuma mensagem ainda.</p>
          )}
        </div>
      </div>
      <Announcement last={pages.at(-1)?.at(-1)} />
      <NewMensagensButton {...scroll} />
    </div>
  )
}
