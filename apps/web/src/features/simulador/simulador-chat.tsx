import { useEffect, useRef } from 'react'
import { formatDate } from '#shared/format.ts'
import { RefreshFileContext } from '#shared/media/refresh-file.ts'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { StoredSimuladorBubble, PendingSimuladorBubble } from './simulador-bubble.tsx'
import type { SimuladorChatState } from './use-simulador-chat.ts'

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
      // A scrollable area must be reachable by keyboard.
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
