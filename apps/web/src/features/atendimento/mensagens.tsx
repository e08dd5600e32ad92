import { ROLAR_CHAT_MS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { MensagemBlock, type UnreadDivider } from './bloco.tsx'
import type { MensagemBubbleProps } from './balao.tsx'
import { PendingBubble } from './balao-pendente.tsx'
import { useCustomerTyping } from './digitando.ts'
import { usePending } from './pendentes.ts'
import { type LoadedChat, useChatMensagens } from './use-mensagens.ts'
import { markRead, currentUnreadCount } from './vistos.ts'

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
  const recebidas = paginas.flat().filter(({ tipo }) => tipo === 'recebida')
  const primeira = recebidas.at(-Math.min(quantas, recebidas.length))
  if (primeira === undefined) return null
  return recebidas.length < quantas
    ? { id: primeira.id, count: quantas, loadedCount: recebidas.length }
    : { id: primeira.id, count: quantas }
}

/** Marks the conversa as read only while the window is visible and focused. */
function useMarkRead(conversa: Conversa): void {
  useEffect(() => {
    const marcar = (): void => {
      if (document.visibilityState === 'visible' && document.hasFocus()) markRead(conversa)
    }
    marcar()
    addEventListener('focus', marcar)
    document.addEventListener('visibilitychange', marcar)
    return () => {
      removeEventListener('focus', marcar)
      document.removeEventListener('visibilitychange', marcar)
    }
  }, [conversa])
}

function countAfter(paginas: readonly (readonly Mensagem[])[], id: string | undefined): number {
  const ultimas = paginas.slice(-2).flat()
  const indice = ultimas.findIndex((uma) => uma.id === id)
  return indice < 0 ? 0 : ultimas.length - 1 - indice
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
  quadro: { readonly current: HTMLDivElement | null },
  paginas: readonly (readonly Mensagem[])[],
  pendentes: number,
  onPertoDoInicio: () => void,
): ChatScroll {
  const noFim = useRef(true)
  const ateOFim = useRef(0)
  const ultima = paginas.at(-1)?.at(-1)?.id
  const primeira = paginas[0]?.[0]?.id
  const vista = useRef(ultima)
  const [ate, setAte] = useState<string | undefined>(undefined)
  const inicio = useRef(onPertoDoInicio)
  useEffect(() => {
    inicio.current = onPertoDoInicio
  })
  const descer = (): void => quadro.current?.scrollTo({ top: quadro.current.scrollHeight })

  useLayoutEffect(() => {
    const alvo = quadro.current
    if (alvo === null) return
    const divisor = alvo.querySelector<HTMLElement>('[data-novas]')
    alvo.scrollTo({ top: divisor === null ? alvo.scrollHeight : divisor.offsetTop - 24 })
    const lembrar = (): void => {
      ateOFim.current = alvo.scrollHeight - alvo.scrollTop
      noFim.current = ateOFim.current - alvo.clientHeight < NEAR_END_PX
      if (noFim.current) setAte(undefined)
      if (alvo.scrollTop < LOAD_OLDER_PX) inicio.current()
    }
    lembrar()
    // An on-screen keyboard shrinks the chat, a loaded picture grows it.
    const tamanho = new ResizeObserver(() => {
      if (noFim.current) alvo.scrollTo({ top: alvo.scrollHeight })
    })
    tamanho.observe(alvo)
    for (const filho of alvo.children) tamanho.observe(filho)
    alvo.addEventListener('scroll', lembrar, { passive: true })
    return () => {
      tamanho.disconnect()
      alvo.removeEventListener('scroll', lembrar)
    }
  }, [quadro])

  const antes = useRef(primeira)
  useLayoutEffect(() => {
    if (antes.current === primeira) return
    antes.current = primeira
    const alvo = quadro.current
    if (alvo !== null && !noFim.current) alvo.scrollTo({ top: alvo.scrollHeight - ateOFim.current })
  }, [quadro, primeira])

  useEffect(() => {
    const anterior = vista.current
    if (anterior === ultima && pendentes === 0) return
    vista.current = ultima
    if (!noFim.current && pendentes === 0) {
      setAte((guardada) => guardada ?? anterior)
      return
    }
    const espera = setTimeout(() => quadro.current?.scrollTo({ top: quadro.current.scrollHeight }), ROLAR_CHAT_MS)
    return () => clearTimeout(espera)
  }, [quadro, ultima, pendentes])
  return { newCount: ate === undefined ? 0 : countAfter(paginas, ate), scrollDown: descer }
}

/** Announces new customer mensagens to screen readers, but neither history nor our own. */
function Announcement({ ultima }: { ultima: Mensagem | undefined }) {
  const [aoAbrir] = useState(ultima?.id)
  const dita = ultima?.tipo === 'recebida' && ultima.id !== aoAbrir
  return (
    <p role="status" className="sr-only">
      {dita && `${ultima.remetente}: ${ultima.texto}`}
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
      {[0, 1, 2].map((ponto) => (
        <span
          key={ponto}
          aria-hidden
          className="size-1.5 animate-bounce rounded-full bg-muted motion-reduce:animate-none"
          style={{ animationDelay: `${ponto * 120}ms` }}
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
  const quadro = useRef<HTMLDivElement>(null)
  const [novas] = useState(() => findUnread(conversa, paginas))
  const pendentes = usePending(conversa.id)
  const digitando = useCustomerTyping(conversa.id)
  const rolagem = useChatScroll(quadro, paginas, pendentes.length, () => {
    if (older.erro === null) void older.carregar()
  })
  useMarkRead(conversa)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={quadro}
        role="log"
        aria-label="Mensagens"
        aria-live="off"
        // A scrollable area must be reachable by keyboard.
        tabIndex={0}
        className="wall relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-3 py-4 -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <OlderMensagens antigas={older} />
          {paginas.map((pagina, indice) => (
            <MensagemBlock
              key={pagina[0]?.id ?? indice}
              mensagens={pagina}
              before={paginas[indice - 1]?.at(-1)}
              unread={pagina.some(({ id }) => id === novas?.id) ? novas : null}
              recent={indice >= paginas.length - 2}
              onResend={onResend}
              onWhy={onWhy}
              onActions={onActions}
            />
          ))}
          {pendentes.length > 0 && (
            <ol className="grid gap-2">
              {pendentes.map((pendente) => (
                <PendingBubble key={pendente.mensagem.id} pendente={pendente} />
              ))}
            </ol>
          )}
          {digitando && <TypingDots nome={conversa.cliente.nome} />}
          {paginas.every((pagina) => pagina.length === 0) && pendentes.length === 0 && (
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
