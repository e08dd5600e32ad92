import { ROLAR_CHAT_MS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { ArrowDown } from 'lucide-react'
import { Fragment, useEffect, useRef, useState } from 'react'
import { Balao } from './balao.tsx'
import { usePendente } from './pendentes.ts'
import { nomeDoDia } from './tempo.ts'
import { marcarVista, primeiraNaoLida } from './vistos.ts'

/** Near enough to the end to be reading the last words. */
const PERTO_PX = 80

interface Fim {
  readonly novas: number
  readonly descer: () => void
}

/** Keeps the chat at its last words while they are being read; whoever went up is told of what came, not moved. */
function useFim(quadro: { readonly current: HTMLDivElement | null }, total: number, enviando: boolean): Fim {
  const noFim = useRef(true)
  const visto = useRef(total)
  const [novas, setNovas] = useState(0)
  const descer = (): void => {
    quadro.current?.scrollTo({ top: quadro.current.scrollHeight })
  }
  useEffect(() => {
    const alvo = quadro.current
    if (alvo === null) return
    const lembrar = (): void => {
      noFim.current = alvo.scrollHeight - alvo.scrollTop - alvo.clientHeight < PERTO_PX
      if (noFim.current) setNovas(0)
    }
    // A keyboard that opens makes the chat shorter, a picture that arrives makes it longer.
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
  useEffect(() => {
    const chegaram = total - visto.current
    visto.current = total
    if (chegaram <= 0) return
    if (!noFim.current && !enviando) {
      setNovas((antes) => antes + chegaram)
      return
    }
    const espera = setTimeout(() => quadro.current?.scrollTo({ top: quadro.current.scrollHeight }), ROLAR_CHAT_MS)
    return () => clearTimeout(espera)
  }, [quadro, total, enviando])
  return { novas, descer }
}

/** Read is what was on screen, in a window somebody was looking at. */
function useMarcarVista(conversa: Conversa): void {
  useEffect(() => {
    const marcar = (): void => {
      if (document.visibilityState === 'visible' && document.hasFocus()) marcarVista(conversa)
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

const DIVISOR = 'justify-self-center rounded-full px-3 py-0.5 text-xs font-semibold'

function Divisores({ mensagem, antes, novas }: { mensagem: Mensagem; antes: Mensagem | undefined; novas: number }) {
  const dia = nomeDoDia(mensagem.timestamp)
  return (
    <>
      {(antes === undefined || nomeDoDia(antes.timestamp) !== dia) && (
        <li className={`${DIVISOR} bg-surface text-muted`}>{dia}</li>
      )}
      {novas > 0 && (
        <li data-novas className={`${DIVISOR} bg-info-soft text-info-ink`}>
          {novas === 1 ? '1 nova mensagem' : `${novas} novas mensagens`}
        </li>
      )}
    </>
  )
}

export interface MensagensProps {
  readonly conversa: Conversa
  readonly onReenviar: ((id: string) => void) | undefined
}

/** The chat on its wall: days, what was unread when it was opened, and the bubble on its way. */
export function Mensagens({ conversa, onReenviar }: MensagensProps) {
  const quadro = useRef<HTMLDivElement>(null)
  const [novasAoAbrir] = useState(() => primeiraNaoLida(conversa))
  const pendente = usePendente(conversa.id)
  const { mensagens } = conversa
  const total = mensagens.length + (pendente === undefined ? 0 : 1)
  const fim = useFim(quadro, total, pendente !== undefined)
  useMarcarVista(conversa)
  useEffect(() => {
    const alvo = quadro.current
    const divisor = alvo?.querySelector<HTMLElement>('[data-novas]')
    if (alvo === null) return
    alvo.scrollTop = divisor === null || divisor === undefined ? alvo.scrollHeight : divisor.offsetTop - 24
  }, [])
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={quadro}
        role="log"
        aria-label="Mensagens"
        // Scrollable, therefore reachable by the keyboard.
        tabIndex={0}
        className="wall relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-3 py-4 -outline-offset-2"
      >
        <ol className="grid gap-2">
          {mensagens.map((mensagem, indice) => (
            <Fragment key={mensagem.id}>
              <Divisores
                mensagem={mensagem}
                antes={mensagens[indice - 1]}
                novas={mensagem.id === novasAoAbrir?.id ? novasAoAbrir.quantas : 0}
              />
              <Balao mensagem={mensagem} onReenviar={onReenviar} />
            </Fragment>
          ))}
          {pendente !== undefined && <Balao mensagem={pendente} />}
        </ol>
      </div>
      {fim.novas > 0 && (
        <button
          type="button"
          onClick={fim.descer}
          className="absolute bottom-3 left-1/2 flex min-h-11 -translate-x-1/2 items-center gap-1.5 rounded-full border bg-surface px-4 text-sm font-bold text-brand-ink shadow-pop"
        >
          <ArrowDown size={16} aria-hidden /> {fim.novas === 1 ? '1 nova' : `${fim.novas} novas`}
        </button>
      )}
    </div>
  )
}
