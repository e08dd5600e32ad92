import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { Reply, X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { quotedLine } from './mensagem-bubble.tsx'
import { type ChosenMensagem, useReact } from './use-reactions.ts'

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
  const current = items.findIndex((item) => item === document.activeElement)
  items[(current + step + items.length) % items.length]?.focus()
}

function placeBeside(panel: HTMLElement, button: HTMLElement): void {
  const { right, top, bottom } = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = panel
  const fitsBelow = bottom + height + 8 < innerHeight
  panel.style.left = `${Math.min(Math.max(8, right - width), innerWidth - width - 8)}px`
  panel.style.top = `${fitsBelow ? bottom + 4 : Math.max(8, top - height - 4)}px`
}

interface ReactionRowProps {
  readonly current: string | undefined
  readonly onChoose: (emoji: string) => void
}

function ReactionRow({ current, onChoose }: ReactionRowProps) {
  return (
    <div role="group" aria-label="Reagir" className="flex">
      {REACTIONS.map(([emoji, label]) => (
        <button
          key={emoji}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={current === emoji}
          aria-label={label}
          title={current === emoji ? `Tirar: ${label}` : label}
          className="grid size-11 place-items-center rounded-full text-2xl hover:bg-sunken aria-checked:bg-brand-soft aria-checked:ring-2 aria-checked:ring-brand"
          onClick={() => onChoose(emoji)}
        >
          {emoji}
        </button>
      ))}
    </div>
  )
}

export interface MensagemActionsProps {
  readonly conversaId: string
  readonly chosen: ChosenMensagem
  readonly onReply: (mensagem: Mensagem) => void
  readonly onClose: () => void
}

export function MensagemActions({ conversaId, chosen, onReply, onClose }: MensagemActionsProps) {
  const { mensagem, button } = chosen
  const react = useReact(conversaId)
  const panel = useRef<HTMLDivElement>(null)
  const open = useCallback(
    (target: HTMLDivElement) => {
      panel.current = target
      target.showPopover()
      placeBeside(target, button)
      const ours = target.querySelector<HTMLElement>('[aria-checked=true]')
      ;(ours ?? target.querySelector('button'))?.focus()
      return () => {
        panel.current = null
      }
    },
    [button],
  )
  const choose = (emoji: string): void => {
    panel.current?.hidePopover()
    button.focus()
    void react(mensagem, mensagem.reacaoLoja === emoji ? null : emoji)
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
      <ReactionRow current={mensagem.reacaoLoja} onChoose={choose} />
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className="mt-1 flex min-h-11 w-full items-center gap-3 rounded-lg px-3 text-left text-sm font-semibold hover:bg-sunken"
        onClick={() => {
          panel.current?.hidePopover()
          onReply(mensagem)
        }}
      >
        <Reply size={18} aria-hidden /> Responder
      </button>
    </div>
  )
}

export function ReplyingTo({ mensagem }: { mensagem: Mensagem }) {
  const { remetente, tipo } = mensagem
  return (
    <p role="status" className="min-w-0 flex-1 py-1.5 text-sm">
      <span className="block truncate font-semibold text-brand-ink">
        Respondendo a {tipo === 'recebida' ? remetente : 'uma mensagem nossa'}
      </span>
      <span className="block truncate text-muted">{quotedLine(mensagem)}</span>
    </p>
  )
}

export function QuotedMensagem({ mensagem, onRemove }: { mensagem: Mensagem; onRemove: () => void }) {
  const frame = useRef<HTMLDivElement>(null)
  const { id } = mensagem
  const focusField = (): void => {
    frame.current?.parentElement?.querySelector<HTMLElement>('[data-compositor]')?.focus()
  }
  useEffect(focusField, [id])
  return (
    <div ref={frame} className="mb-2 flex items-center gap-2 rounded-lg border-l-4 border-brand bg-sunken pl-3">
      <ReplyingTo mensagem={mensagem} />
      <IconButton
        label="Não responder a esta mensagem"
        tooltip={false}
        size="touch"
        icon={<X size={18} aria-hidden />}
        onClick={() => {
          focusField()
          onRemove()
        }}
      />
    </div>
  )
}
