import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useQueryClient } from '@tanstack/react-query'
import { Reply, X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react'
import { useUsuario } from '#shared/session.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { sendReaction } from '#features/atendimento/reagir.ts'
import { ReplyingTo } from '#features/atendimento/respondendo.tsx'
import type { ChosenMensagem } from './use-reactions.ts'

const REACTIONS = [
  ['👍', 'Joinha'],
  ['❤️', 'Coração'],
  ['😂', 'Risada'],
  ['😮', 'Surpresa'],
  ['😢', 'Tristeza'],
  ['🙏', 'Obrigado'],
] as const

const ARROW_STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = ARROW_STEPS[event.key]
  if (step === undefined) return
  event.preventDefault()
  const items = [...event.currentTarget.querySelectorAll('button')]
  const atual = items.findIndex((item) => item === document.activeElement)
  items[(atual + step + items.length) % items.length]?.focus()
}

function placeBeside(painel: HTMLElement, botao: HTMLElement): void {
  const { right, top, bottom } = botao.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = painel
  const embaixo = bottom + height + 8 < innerHeight
  painel.style.left = `${Math.min(Math.max(8, right - width), innerWidth - width - 8)}px`
  painel.style.top = `${embaixo ? bottom + 4 : Math.max(8, top - height - 4)}px`
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
  const open = useCallback(
    (target: HTMLDivElement) => {
      painel.current = target
      target.showPopover()
      placeBeside(target, botao)
      const ours = target.querySelector<HTMLElement>('[aria-checked=true]')
      ;(ours ?? target.querySelector('button'))?.focus()
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
  const choose = (emoji: string): void => {
    voltar()
    const fresh = mensagem.reacaoLoja === emoji ? null : emoji
    void sendReaction({ client: cliente, user: { id, nome } }, { conversaId, mensagem, emoji: fresh })
  }
  return (
    <div
      ref={open}
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
            onClick={() => choose(emoji)}
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
  const frame = useRef<HTMLDivElement>(null)
  const { id } = mensagem
  useEffect(() => {
    frame.current?.parentElement?.querySelector<HTMLElement>('[data-compositor]')?.focus()
  }, [id])
  return (
    <div ref={frame} className="mb-2 flex items-center gap-2 rounded-lg border-l-4 border-brand bg-sunken pl-3">
      <ReplyingTo mensagem={mensagem} />
      <IconButton
        label="Não responder a esta mensagem"
        tooltip={false}
        className="!size-11 flex-none"
        icon={<X size={18} aria-hidden />}
        onClick={() => {
          frame.current?.parentElement?.querySelector<HTMLElement>('[data-compositor]')?.focus()
          onTirar()
        }}
      />
    </div>
  )
}
