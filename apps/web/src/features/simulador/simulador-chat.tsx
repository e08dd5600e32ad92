import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { CircleAlert, Clock3 } from 'lucide-react'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import { formatDate, formatTime } from '#shared/format.ts'
import { RefreshFileContext } from '#shared/media/refresh-file.ts'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { MensagemMedia } from '#shared/media/mensagem-media.tsx'
import { Reactions } from '#shared/preview/reactions.tsx'
import { CustomerText } from '#shared/preview/customer-text.tsx'
import type { SimuladorChatState, SimuladorPending } from './use-simulador-chat.ts'

interface SimuladorBubbleProps {
  readonly fromCompany: boolean
  readonly sender: string
  readonly texto: string
  readonly midia?: Midia | undefined
  readonly citada?: MensagemSimulada['citada']
  readonly reacoes?: MensagemSimulada['reacoes']
  readonly children: ReactNode
}

function SimuladorBubble({ fromCompany, sender, texto, midia, citada, reacoes, children }: SimuladorBubbleProps) {
  return (
    <li className={clsx('rise max-w-[85%]', fromCompany ? 'justify-self-start' : 'justify-self-end')}>
      <div
        className={clsx(
          'rounded-2xl px-3 py-2 text-[0.93rem] leading-[1.4] shadow-card',
          fromCompany ? 'rounded-tl-md bg-surface' : 'rounded-tr-md bg-bubble',
        )}
      >
        <span className="sr-only">{sender}: </span>
        {citada !== undefined && (
          <blockquote className="truncate border-l-4 border-brand pl-2 text-sm text-muted">{citada.texto}</blockquote>
        )}
        {midia !== undefined && <MensagemMedia midia={midia} caption={texto} ours={!fromCompany} />}
        {texto !== '' && <CustomerText text={texto} className="break-words whitespace-pre-wrap" />}
        {children}
      </div>
      {reacoes !== undefined && <Reactions reacoes={reacoes} />}
    </li>
  )
}

function StoredSimuladorBubble({
  timestamp,
  ...bubble
}: Omit<SimuladorBubbleProps, 'children'> & { timestamp: string }) {
  return (
    <SimuladorBubble {...bubble}>
      <time dateTime={timestamp} className="mt-0.5 block text-right text-[11px] text-muted tabular-nums">
        {formatTime(timestamp)}
      </time>
    </SimuladorBubble>
  )
}

function PendingSimuladorBubble({ pending, onResend }: { pending: SimuladorPending; onResend: () => void }) {
  const { texto, midia, deMim, failure, cliente } = pending
  return (
    <SimuladorBubble fromCompany={deMim} sender={deMim ? 'Empresa' : cliente.nome} texto={texto} midia={midia}>
      {failure === null ? (
        <p className="mt-0.5 flex items-center justify-end gap-1 text-[11px] text-muted">
          <Clock3 size={12} aria-hidden /> Enviando…
        </p>
      ) : (
        <div role="alert" className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
          <p className="flex items-start gap-1.5">
            <CircleAlert size={16} aria-hidden className="mt-0.5 flex-none" /> {failure.sentence}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-4">
            <button type="button" onClick={onResend} className="min-h-8 rounded underline">
              Tentar de novo
            </button>
            {failure.botOffline && (
              <Link to="/dashboard" search={{ aba: 'geral' }} className="inline-flex min-h-8 items-center underline">
                Abrir a aba Geral
              </Link>
            )}
          </p>
        </div>
      )}
    </SimuladorBubble>
  )
}

function dayName(instant: string): string {
  const day = formatDate(instant)
  if (day === formatDate(Date.now())) return 'Hoje'
  return day === formatDate(Date.now() - 86_400_000) ? 'Ontem' : day
}

const NEAR_END_PX = 80

/**
 * Keeps the chat scrolled to its end, without scrolling the page.
 * A user who scrolled up keeps the position until sending a message.
 */
function useStickToEnd(content: string, writing: boolean) {
  const frame = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    const target = frame.current
    if (target === null) return
    const scrollDown = (): void => {
      if (atEnd.current) target.scrollTo({ top: target.scrollHeight })
    }
    const remember = (): void => {
      atEnd.current = target.scrollHeight - target.scrollTop - target.clientHeight < NEAR_END_PX
    }
    // An on-screen keyboard shrinks the chat, a loaded picture grows it.
    const size = new ResizeObserver(scrollDown)
    size.observe(target)
    for (const child of target.children) size.observe(child)
    target.addEventListener('scroll', remember, { passive: true })
    return () => {
      size.disconnect()
      target.removeEventListener('scroll', remember)
    }
  }, [])
  useEffect(() => {
    if (writing || atEnd.current) frame.current?.scrollTo({ top: frame.current.scrollHeight })
  }, [content, writing])
  return frame
}

export function SimuladorChat({ conversa, nome }: { conversa: SimuladorChatState; nome: string }) {
  const { mensagens, pending, loading } = conversa
  const count = mensagens.length + pending.length
  const frame = useStickToEnd(
    `${count} ${pending.filter(({ failure }) => failure !== null).length}`,
    pending.length > 0,
  )
  return (
    <div
      ref={frame}
      className="wall relative min-h-44 flex-[1_1_0px] overflow-y-auto overscroll-contain px-3 py-4"
      tabIndex={0}
      role="log"
      aria-label={`Conversa de ${nome} com o bot`}
      aria-busy={loading}
    >
      <ChatPlaceholder conversa={conversa} empty={count === 0} />
      <RefreshFileContext value={conversa.refreshFile}>
        <ol className="grid gap-2">
          {mensagens.map(({ id, de, texto, timestamp, midia, citada, reacoes }, index) => {
            const day = dayName(timestamp)
            const before = mensagens[index - 1]
            const newDay = before === undefined || dayName(before.timestamp) !== day
            return [
              newDay && (
                <li
                  key={`dia-${id}`}
                  className="justify-self-center rounded-full bg-surface px-3 py-0.5 text-xs font-semibold text-muted"
                >
                  {day}
                </li>
              ),
              <StoredSimuladorBubble
                key={id}
                fromCompany={de === 'bot'}
                sender={de === 'bot' ? 'Bot' : nome}
                texto={texto}
                midia={midia}
                citada={citada}
                reacoes={reacoes}
                timestamp={timestamp}
              />,
            ]
          })}
          {pending.map((message) => (
            <PendingSimuladorBubble key={message.id} pending={message} onResend={() => conversa.resend(message.id)} />
          ))}
        </ol>
      </RefreshFileContext>
    </div>
  )
}

function ChatPlaceholder({ conversa, empty }: { conversa: SimuladorChatState; empty: boolean }) {
  const { loading, error, reload } = conversa
  if (loading) {
    return (
      <div className="grid gap-3">
        <Skeleton className="ml-auto h-9 w-32" />
        <Skeleton className="h-16 w-56" />
        <Skeleton className="h-28 w-64" />
      </div>
    )
  }
  if (!empty) return null
  if (error !== null) return <ErrorState message={error.message} onRetry={reload} />
  return (
    <p className="mx-auto mt-6 w-fit rounded-2xl bg-surface px-4 py-2 text-center text-sm text-muted">
      Ninguém escreveu ainda. Mande <b>oi</b> e veja o bot responder.
    </p>
  )
}
