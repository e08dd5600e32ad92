import { useEffect, useRef } from 'react'
import { formatDate } from '#shared/format.ts'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { StoredSimuladorBubble, PendingSimuladorBubble } from './balao.tsx'
import type { SimuladorChatState } from './use-conversa.ts'

function dayName(instante: string): string {
  const dia = formatDate(instante)
  if (dia === formatDate(Date.now())) return 'Hoje'
  return dia === formatDate(Date.now() - 86_400_000) ? 'Ontem' : dia
}

const NEAR_END_PX = 80

/**
 * Keeps the chat scrolled to its end, without scrolling the page.
 * A user who scrolled up keeps the position until sending a message.
 */
function useStickToEnd(conteudo: string, escrevendo: boolean) {
  const quadro = useRef<HTMLDivElement>(null)
  const noFim = useRef(true)
  useEffect(() => {
    const alvo = quadro.current
    if (alvo === null) return
    const descer = (): void => {
      if (noFim.current) alvo.scrollTo({ top: alvo.scrollHeight })
    }
    const lembrar = (): void => {
      noFim.current = alvo.scrollHeight - alvo.scrollTop - alvo.clientHeight < NEAR_END_PX
    }
    // An on-screen keyboard shrinks the chat, a loaded picture grows it.
    const tamanho = new ResizeObserver(descer)
    tamanho.observe(alvo)
    for (const filho of alvo.children) tamanho.observe(filho)
    alvo.addEventListener('scroll', lembrar, { passive: true })
    return () => {
      tamanho.disconnect()
      alvo.removeEventListener('scroll', lembrar)
    }
  }, [])
  useEffect(() => {
    if (escrevendo || noFim.current) quadro.current?.scrollTo({ top: quadro.current.scrollHeight })
  }, [conteudo, escrevendo])
  return quadro
}

export function SimuladorChat({ conversa, nome }: { conversa: SimuladorChatState; nome: string }) {
  const { mensagens, pending, loading, error } = conversa
  const quantas = mensagens.length + pending.length
  const quadro = useStickToEnd(`${quantas} ${pending.filter(({ failure }) => failure !== null).length}`, pending.length > 0)
  return (
    <div
      ref={quadro}
      className="wall relative min-h-44 flex-[1_1_0px] overflow-y-auto overscroll-contain px-3 py-4"
      // A scrollable area must be reachable by keyboard.
      tabIndex={0}
      role="log"
      aria-label={`Conversa de ${nome} com o bot`}
      aria-busy={loading}
    >
      {loading && (
        <div className="grid gap-3">
          <Skeleton className="ml-auto h-9 w-32" />
          <Skeleton className="h-16 w-56" />
          <Skeleton className="h-28 w-64" />
        </div>
      )}
      {error !== null && quantas === 0 && <ErrorState message={error.message} onRetry={conversa.reload} />}
      {!loading && error === null && quantas === 0 && (
        <p className="mx-auto mt-6 w-fit rounded-2xl bg-surface px-4 py-2 text-center text-sm text-muted">
          Ninguém escreveu ainda. Mande <b>oi</b> e veja o bot responder.
        </p>
      )}
      <ol className="grid gap-2">
        {mensagens.map(({ id, de, texto, timestamp, midia, citada, reacoes }, indice) => {
          const dia = dayName(timestamp)
          const antes = mensagens[indice - 1]
          const novoDia = antes === undefined || dayName(antes.timestamp) !== dia
          return [
            novoDia && (
              <li
                key={`dia-${id}`}
                className="justify-self-center rounded-full bg-surface px-3 py-0.5 text-xs font-semibold text-muted"
              >
                {dia}
              </li>
            ),
            <StoredSimuladorBubble
              key={id}
              daEmpresa={de === 'bot'}
              quem={de === 'bot' ? 'Bot' : nome}
              texto={texto}
              midia={midia}
              citada={citada}
              reacoes={reacoes}
              timestamp={timestamp}
            />,
          ]
        })}
        {pending.map((pendente) => (
          <PendingSimuladorBubble key={pendente.id} pendente={pendente} onReenviar={() => conversa.resend(pendente.id)} />
        ))}
      </ol>
    </div>
  )
}
