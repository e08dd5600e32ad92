import { ROLAR_CHAT_MS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { MensagemBlock, type UnreadDivider } from './mensagem-block.tsx'
import type { MensagemBubbleProps } from './mensagem-bubble.tsx'
import { PendingBubble } from '#features/atendimento/balao-pendente.tsx'
import { useCustomerTyping } from './typing.ts'
import { usePending } from '#features/atendimento/pendentes.ts'
import { type LoadedChat, useChatMensagens } from './use-mensagens.ts'
import { markRead, currentUnreadCount } from '#features/atendimento/lista/unread.ts'

const NEAR_END_PX = 80
const LOAD_OLDER_PX = 900

export interface MensagemListProps {
  readonly conversa: Conversa
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
      <Skeleton className="h-10 w-2/5 !rounded-2xl" />
      <Skeleton className="h-14 w-3/5 justify-self-end !rounded-2xl" />
      <Skeleton className="h-10 w-1/2 !rounded-2xl" />
    </div>
  )
}

export function MensagemList(props: MensagemListProps) {
  const chat = useChatMensagens(props.conversa.id)
  if (chat.loaded !== undefined) return <ChatFrame {...props} chat={chat} paginas={chat.loaded.pages} />
  if (chat.error === null) return <MensagemListSkeleton />
  const { mensagens } = props.conversa
  if (mensagens.length === 0) return <ErrorState message={chat.error.message} onRetry={chat.retry} />
  return (
    <>
      <p role="alert" className="bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
        {chat.error.message} Esta é a parte guardada neste aparelho.{' '}
        <button type="button" className="min-h-8 underline" onClick={chat.retry}>
          Tentar de novo
        </button>
      </p>
      <ChatFrame {...props} chat={chat} paginas={[mensagens]} />
    </>
  )
}

function findUnread(conversa: Conversa, paginas: readonly (readonly Mensagem[])[]): UnreadDivider | null {
  const quantas = currentUnreadCount(conversa)
  if (quantas === 0) return null
  const received = paginas.flat().filter(({ tipo }) => tipo === 'recebida')
  const first = received.at(-Math.min(quantas, received.length))
  if (first === undefined) return null
  return received.length < quantas
    ? { id: first.id, count: quantas, loadedCount: received.length }
    : { id: first.id, count: quantas }
}

/** Marks the conversa as read only while the window is visible and focused. */
function useMarkRead(conversa: Conversa): void {
  useEffect(() => {
    const mark = (): void => {
      if (document.visibilityState === 'visible' && document.hasFocus()) markRead(conversa)
    }
    mark()
    addEventListener('focus', mark)
    document.addEventListener('visibilitychange', mark)
    return () => {
      removeEventListener('focus', mark)
      document.removeEventListener('visibilitychange', mark)
    }
  }, [conversa])
}

function countAfter(paginas: readonly (readonly Mensagem[])[], id: string | undefined): number {
  const last = paginas.slice(-2).flat()
  const index = last.findIndex((uma) => uma.id === id)
  return index < 0 ? 0 : last.length - 1 - index
}

interface ChatScroll {
  readonly newCount: number
  readonly scrollDown: () => void
}

/**
 * Follows new mensagens while the chat is at its end. Otherwise the position stays and new mensagens are counted.
 * Older pages inserted at the top do not move the view.
 */
function useChatScroll(
  frame: { readonly current: HTMLDivElement | null },
  paginas: readonly (readonly Mensagem[])[],
  pending: number,
  onPertoDoInicio: () => void,
): ChatScroll {
  const noFim = useRef(true)
  const ateOFim = useRef(0)
  const ultima = paginas.at(-1)?.at(-1)?.id
  const first = paginas[0]?.[0]?.id
  const seen = useRef(ultima)
  const [until, setAte] = useState<string | undefined>(undefined)
  const start = useRef(onPertoDoInicio)
  useEffect(() => {
    start.current = onPertoDoInicio
  })
  const descer = (): void => frame.current?.scrollTo({ top: frame.current.scrollHeight })

  useLayoutEffect(() => {
    const target = frame.current
    if (target === null) return
    const divisor = target.querySelector<HTMLElement>('[data-novas]')
    target.scrollTo({ top: divisor === null ? target.scrollHeight : divisor.offsetTop - 24 })
    const remember = (): void => {
      ateOFim.current = target.scrollHeight - target.scrollTop
      noFim.current = ateOFim.current - target.clientHeight < NEAR_END_PX
      if (noFim.current) setAte(undefined)
      if (target.scrollTop < LOAD_OLDER_PX) start.current()
    }
    remember()
    // An on-screen keyboard shrinks the chat, a loaded picture grows it.
    const tamanho = new ResizeObserver(() => {
      if (noFim.current) target.scrollTo({ top: target.scrollHeight })
    })
    tamanho.observe(target)
    for (const child of target.children) tamanho.observe(child)
    target.addEventListener('scroll', remember, { passive: true })
    return () => {
      tamanho.disconnect()
      target.removeEventListener('scroll', remember)
    }
  }, [frame])

  const antes = useRef(first)
  useLayoutEffect(() => {
    if (antes.current === first) return
    antes.current = first
    const target = frame.current
    if (target !== null && !noFim.current) target.scrollTo({ top: target.scrollHeight - ateOFim.current })
  }, [frame, first])

  useEffect(() => {
    const previous = seen.current
    if (previous === ultima && pending === 0) return
    seen.current = ultima
    if (!noFim.current && pending === 0) {
      setAte((stored) => stored ?? previous)
      return
    }
    const wait = setTimeout(() => frame.current?.scrollTo({ top: frame.current.scrollHeight }), ROLAR_CHAT_MS)
    return () => clearTimeout(wait)
  }, [frame, ultima, pending])
  return { newCount: until === undefined ? 0 : countAfter(paginas, until), scrollDown: descer }
}

/** Announces new customer mensagens to screen readers, but neither history nor our own. */
function Announcement({ ultima }: { ultima: Mensagem | undefined }) {
  const [aoAbrir] = useState(ultima?.id)
  const said = ultima?.tipo === 'recebida' && ultima.id !== aoAbrir
  return (
    <p role="status" className="sr-only">
      {said && `${ultima.remetente}: ${ultima.texto}`}
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
      {[0, 1, 2].map((point) => (
        <span
          key={point}
          aria-hidden
          className="size-1.5 animate-bounce rounded-full bg-muted motion-reduce:animate-none"
          style={{ animationDelay: `${point * 120}ms` }}
        />
      ))}
    </p>
  )
}

function OlderMensagens({ antigas: { ha, carregando, erro, carregar } }: { antigas: LoadedChat['older'] }) {
  if (!ha) return null
  return (
    <div className="mb-3 text-center">
      {erro !== null && <p className="mb-1 text-sm font-semibold text-danger-ink">{erro}</p>}
      <Button busy={carregando} onClick={() => void carregar()}>
        Mensagens anteriores
      </Button>
    </div>
  )
}

type ChatFrameProps = MensagemListProps & { chat: LoadedChat; paginas: readonly (readonly Mensagem[])[] }

function ChatFrame({ conversa, chat: { older }, paginas, onResend, onWhy, onActions }: ChatFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [fresh] = useState(() => findUnread(conversa, paginas))
  const pending = usePending(conversa.id)
  const typing = useCustomerTyping(conversa.id)
  const rolagem = useChatScroll(frame, paginas, pending.length, () => {
    if (older.erro === null) void older.carregar()
  })
  useMarkRead(conversa)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
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
          <OlderMensagens antigas={older} />
          {paginas.map((page, index) => (
            <MensagemBlock
              key={page[0]?.id ?? index}
              mensagens={page}
              before={paginas[index - 1]?.at(-1)}
              unread={page.some(({ id }) => id === fresh?.id) ? fresh : null}
              recent={index >= paginas.length - 2}
              onResend={onResend}
              onWhy={onWhy}
              onActions={onActions}
            />
          ))}
          {pending.length > 0 && (
            <ol className="grid gap-2">
              {pending.map((pendente) => (
                <PendingBubble key={pendente.mensagem.id} pendente={pendente} />
              ))}
            </ol>
          )}
          {typing && <TypingDots nome={conversa.cliente.nome} />}
          {paginas.every((page) => page.length === 0) && pending.length === 0 && (
            <p className="py-8 text-center text-sm text-muted">Nenhuma mensagem ainda.</p>
          )}
        </div>
      </div>
      <Announcement ultima={paginas.at(-1)?.at(-1)} />
      {rolagem.newCount > 0 && (
        <button
          type="button"
          onClick={rolagem.scrollDown}
          className="absolute bottom-3 left-1/2 flex min-h-11 -translate-x-1/2 items-center gap-1.5 rounded-full border bg-surface px-4 text-sm font-bold text-brand-ink shadow-pop"
        >
          <ArrowDown size={16} aria-hidden /> {rolagem.newCount === 1 ? '1 nova' : `${rolagem.newCount} novas`}
        </button>
      )}
    </div>
  )
}
