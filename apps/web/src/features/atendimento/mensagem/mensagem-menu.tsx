import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { Copy, Forward, Pencil, Reply, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type ToggleEvent, useCallback, useRef, useState } from 'react'
import { type ChosenMensagem, useReact } from '#features/atendimento/conversa/use-reactions.ts'
import { useUsuario } from '#shared/session.tsx'
import { copyText } from '#shared/ui/copy-icon-button.tsx'

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

interface MenuItemProps {
  readonly icon: ReactNode
  readonly children: string
  readonly onClick: () => void
}

function MenuItem({ icon, children, onClick }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className="flex min-h-11 w-full items-center gap-3 rounded-lg px-3 text-left text-sm font-semibold hover:bg-sunken"
      onClick={onClick}
    >
      {icon} {children}
    </button>
  )
}

/** False for a file that the server did not store. */
function isForwardable({ midia }: Mensagem): boolean {
  return midia === undefined || midia.url !== undefined
}

export type MensagemQuestion = 'encaminhar' | 'editar' | 'apagar'

const EDIT_MS = 15 * 60_000
const DELETE_MS = 48 * 3_600_000

/** The questions that the panel may ask about this mensagem. The server checks them again. */
function useQuestions({ mensagem }: ChosenMensagem, canChange: boolean): readonly MensagemQuestion[] {
  const { nome } = useUsuario()
  const { origem, remetente, timestamp, midia } = mensagem
  // Opened for seconds, so the age at opening is enough.
  const [age] = useState(() => Date.now() - Date.parse(timestamp))
  const own = canChange && origem === 'operador' && remetente === nome
  return [
    ...(isForwardable(mensagem) ? (['encaminhar'] as const) : []),
    ...(own && midia === undefined && age < EDIT_MS ? (['editar'] as const) : []),
    ...(own && age < DELETE_MS ? (['apagar'] as const) : []),
  ]
}

const QUESTIONS = {
  encaminhar: { icon: Forward, label: 'Encaminhar' },
  editar: { icon: Pencil, label: 'Editar' },
  apagar: { icon: Trash2, label: 'Apagar para todos' },
} as const

/** A popover beside its button. It closes before an act runs. */
function usePopover(button: HTMLElement, onClose: () => void) {
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
  // The browser reports the closed popover later. An act that opens a dialog must not close it then.
  const opensDialog = useRef(false)
  const run =
    (act: () => void, dialog = false) =>
    (): void => {
      opensDialog.current = dialog
      panel.current?.hidePopover()
      button.focus()
      act()
    }
  const onToggle = ({ newState }: ToggleEvent<HTMLElement>): void => {
    if (newState === 'closed' && !opensDialog.current) onClose()
  }
  return { open, run, onToggle }
}

export interface MensagemMenuProps {
  readonly conversaId: string
  readonly chosen: ChosenMensagem
  /** Reply and react. */
  readonly canMark: boolean
  /** The connector edits and deletes sent mensagens. */
  readonly canChange: boolean
  readonly onReply: (mensagem: Mensagem) => void
  readonly onAsk: (question: MensagemQuestion) => void
  readonly onClose: () => void
}

export function MensagemMenu({ conversaId, chosen, canMark, canChange, ...handlers }: MensagemMenuProps) {
  const { onReply, onAsk, onClose } = handlers
  const { mensagem, button } = chosen
  const react = useReact(conversaId)
  const { open, run, onToggle } = usePopover(button, onClose)
  const questions = useQuestions(chosen, canChange)
  const text = mensagem.edicao ?? mensagem.texto
  return (
    <div
      ref={open}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label="Ações da mensagem"
      className="fixed m-0 rounded-2xl border border-line bg-surface p-1 text-ink shadow-pop"
      onToggle={onToggle}
      onKeyDown={moveFocus}
    >
      {canMark && (
        <>
          <ReactionRow
            current={mensagem.reacaoLoja}
            onChoose={(emoji) => run(() => void react(mensagem, mensagem.reacaoLoja === emoji ? null : emoji))()}
          />
          <MenuItem icon={<Reply size={18} aria-hidden />} onClick={run(() => onReply(mensagem))}>
            Responder
          </MenuItem>
        </>
      )}
      {text !== '' && (
        <MenuItem icon={<Copy size={18} aria-hidden />} onClick={run(() => void copyText(text, 'Texto copiado.'))}>
          Copiar
        </MenuItem>
      )}
      {questions.map((question) => {
        const { icon: Icon, label } = QUESTIONS[question]
        return (
          <MenuItem key={question} icon={<Icon size={18} aria-hidden />} onClick={run(() => onAsk(question), true)}>
            {label}
          </MenuItem>
        )
      })}
    </div>
  )
}
