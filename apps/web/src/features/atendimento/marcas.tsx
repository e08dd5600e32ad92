import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useQueryClient } from '@tanstack/react-query'
import { Reply, X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react'
import { useUsuario } from '#shared/session.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { sendReaction } from './reagir.ts'
import { ReplyingTo } from './respondendo.tsx'
import type { ChosenMensagem } from './use-marcas.ts'

const REACTIONS = [
  ['👍', 'Joinha'],
  ['❤️', 'Coração'],
  ['😂', 'Risada'],
  ['😮', 'Surpresa'],
  ['😢', 'Tristeza'],
  ['🙏', 'Obrigado'],
] as const

const ARROW_STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function moveFocus(evento: KeyboardEvent<HTMLElement>): void {
  const passo = ARROW_STEPS[evento.key]
  if (passo === undefined) return
  evento.preventDefault()
  const itens = [...evento.currentTarget.querySelectorAll('button')]
  const atual = itens.findIndex((item) => item === document.activeElement)
  itens[(atual + passo + itens.length) % itens.length]?.focus()
}

function placeBeside(painel: HTMLElement, botao: HTMLElement): void {
  const { right, top, bottom } = botao.getBoundingClientRect()
  const { offsetWidth: largura, offsetHeight: altura } = painel
  const embaixo = bottom + altura + 8 < innerHeight
  painel.style.left = `${Math.min(Math.max(8, right - largura), innerWidth - largura - 8)}px`
  painel.style.top = `${embaixo ? bottom + 4 : Math.max(8, top - altura - 4)}px`
}

export interface MensagemActionsProps {
  readonly conversaId: string
  readonly chosen: ChosenMensagem
  readonly onReply: (mensagem: Mensagem) => void
  readonly onClose: () => void
}

export function MensagemActions({ conversaId, chosen, onReply, onClose }: MensagemActionsProps) {
  const { mensagem, button: botao } = chosen
  const cliente = useQueryClient()
  const { id, nome } = useUsuario()
  const painel = useRef<HTMLDivElement>(null)
  const abrir = useCallback(
    (alvo: HTMLDivElement) => {
      painel.current = alvo
      alvo.showPopover()
      placeBeside(alvo, botao)
      const nossa = alvo.querySelector<HTMLElement>('[aria-checked=true]')
      ;(nossa ?? alvo.querySelector('button'))?.focus()
      return () => {
        painel.current = null
      }
    },
    [botao],
  )
  const voltar = (): void => {
    painel.current?.hidePopover()
    botao.focus()
  }
  const escolher = (emoji: string): void => {
    voltar()
    const nova = mensagem.reacaoLoja === emoji ? null : emoji
    void sendReaction({ client: cliente, user: { id, nome } }, { conversaId, mensagem, emoji: nova })
  }
  return (
    <div
      ref={abrir}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label="Ações da mensagem"
      className="fixed m-0 rounded-2xl border border-line bg-surface p-1 text-ink shadow-pop"
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose()
      }}
      onKeyDown={moveFocus}
    >
      <div role="group" aria-label="Reagir" className="flex">
        {REACTIONS.map(([emoji, rotulo]) => (
          <button
            key={emoji}
            type="button"
            role="menuitemradio"
            tabIndex={-1}
            aria-checked={mensagem.reacaoLoja === emoji}
            aria-label={rotulo}
            title={mensagem.reacaoLoja === emoji ? `Tirar: ${rotulo}` : rotulo}
            className="grid size-11 place-items-center rounded-full text-2xl hover:bg-sunken aria-checked:bg-brand-soft aria-checked:ring-2 aria-checked:ring-brand"
            onClick={() => escolher(emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className="mt-1 flex min-h-11 w-full items-center gap-3 rounded-lg px-3 text-left text-sm font-semibold hover:bg-sunken"
        onClick={() => {
          painel.current?.hidePopover()
          onReply(mensagem)
        }}
      >
        <Reply size={18} aria-hidden /> Responder
      </button>
    </div>
  )
}

export function QuotedMensagem({ mensagem, onTirar }: { mensagem: Mensagem; onTirar: () => void }) {
  const quadro = useRef<HTMLDivElement>(null)
  const { id } = mensagem
  useEffect(() => {
    quadro.current?.parentElement?.querySelector<HTMLElement>('[data-compositor]')?.focus()
  }, [id])
  return (
    <div ref={quadro} className="mb-2 flex items-center gap-2 rounded-lg border-l-4 border-brand bg-sunken pl-3">
      <ReplyingTo mensagem={mensagem} />
      <IconButton
        label="Não responder a esta mensagem"
        tooltip={false}
        className="!size-11 flex-none"
        icon={<X size={18} aria-hidden />}
        onClick={() => {
          quadro.current?.parentElement?.querySelector<HTMLElement>('[data-compositor]')?.focus()
          onTirar()
        }}
      />
    </div>
  )
}
