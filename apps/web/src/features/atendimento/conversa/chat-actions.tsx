import { mayReadSetor } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { ArrowLeftRight, Bot, ChevronRight, EllipsisVertical, Hand, Info, MessageCircleDashed } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isFree } from '#features/atendimento/lista/filters.ts'
import { markUnread } from '#features/atendimento/lista/unread.ts'
import type { SetorLook } from '#features/atendimento/setores/use-setores.ts'
import { readerOf } from '#shared/data/conversa-reader.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { SetorDot } from '#shared/ui/setor-chip.tsx'
import { ConversaDetails } from './details.tsx'
import { type ChatActions, useChatActions } from './use-chat-actions.ts'

interface TransferDialogProps {
  readonly conversa: Conversa
  readonly setores: readonly Setor[]
  readonly onChoose: (setor: Setor) => void
  readonly onClose: () => void
}

/** The conversa waits in the other setor and keeps its waiting time. The notice offers an undo. */
function TransferDialog({ conversa, setores, onChoose, onClose }: TransferDialogProps) {
  // Focus on the first setor instead of the close button, so that Enter transfers.
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  const destinations = setores.filter(({ id, ativo }) => ativo && id !== conversa.setor)
  const reader = readerOf(useUsuario())
  return (
    <Dialog open title={`Transferir ${conversa.cliente.nome}`} onClose={onClose}>
      {destinations.length === 0 ? (
        <p className="text-muted">Não há outro setor ativo. Crie um nas configurações dos setores.</p>
      ) : (
        <>
          <p className="mb-3 text-muted">
            A conversa volta a aguardar no setor escolhido, sem perder o lugar na espera.
          </p>
          <ul className="grid gap-1.5">
            {destinations.map((setor, index) => (
              <li key={setor.id}>
                <button
                  ref={index === 0 ? first : undefined}
                  type="button"
                  onClick={() => onChoose(setor)}
                  className="flex min-h-12 w-full items-center gap-3 rounded-xl border px-3 py-1.5 text-left font-semibold hover:bg-sunken"
                >
                  <SetorDot cor={setor.cor} className="size-3" />
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{setor.nome}</span>
                    {!mayReadSetor(reader, setor.id) && (
                      <span className="block text-sm font-normal text-muted">
                        Fora dos seus setores: a conversa sai da sua lista
                      </span>
                    )}
                  </span>
                  <ChevronRight size={18} aria-hidden className="text-muted" />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

type ChatQuestion = 'finalizar' | 'devolver' | 'transferir' | 'detalhes' | null

interface ChatQuestionsProps extends Pick<ChatActionBarProps, 'conversa' | 'setor' | 'setores'> {
  readonly actions: ChatActions
  readonly question: ChatQuestion
  readonly onClose: () => void
}

function ChatQuestions({ question, onClose, conversa, setor, setores, actions }: ChatQuestionsProps) {
  const { nome } = conversa.cliente
  return (
    <>
      <ConfirmDialog
        open={question === 'finalizar'}
        title={`Finalizar a conversa com ${nome}?`}
        confirmLabel="Finalizar"
        onConfirm={() => actions.finish(conversa)}
        onClose={onClose}
      >
        {conversa.pediuParada === true
          ? 'O cliente pediu PARAR: não recebe a despedida nem o pedido de avaliação.'
          : 'O cliente recebe a despedida e o pedido de avaliação.'}{' '}
        A conversa sai da lista e não pode mais ser respondida.
      </ConfirmDialog>
      <ConfirmDialog
        open={question === 'devolver'}
        title={`Devolver ${nome} ao bot?`}
        confirmLabel="Devolver ao bot"
        onConfirm={() => actions.returnToBot(conversa)}
        onClose={onClose}
      >
        O bot volta a responder e a conversa sai da lista. O cliente pode pedir um atendente de novo quando quiser.
      </ConfirmDialog>
      {question === 'transferir' && (
        <TransferDialog
          conversa={conversa}
          setores={setores}
          onClose={onClose}
          onChoose={(destination) => {
            onClose()
            void actions.transfer(conversa, destination)
          }}
        />
      )}
      <Dialog open={question === 'detalhes'} title={nome} onClose={onClose}>
        <ConversaDetails conversa={conversa} setor={setor} />
      </Dialog>
    </>
  )
}

export interface ChatActionBarProps {
  readonly conversa: Conversa
  readonly setor: SetorLook
  readonly setores: readonly Setor[]
  /** False for a finished conversa and for the local copy. */
  readonly open: boolean
  readonly wide: boolean
  /** The heading of the chat. It takes the focus of a button that disappears. */
  readonly title: RefObject<HTMLHeadingElement | null>
  readonly onClose: () => void
}

const ACTION_CLASS = 'flex-1 px-2 lg:flex-none lg:px-4'

interface TakeButtonProps extends Pick<ChatActionBarProps, 'title'> {
  readonly busy: boolean
  readonly onTake: () => Promise<void>
}

function TakeButton({ busy, onTake, title }: TakeButtonProps) {
  // The clicked button disappears. With a mouse the focus goes to the field, on touch to the title, so that no
  // keyboard opens.
  const takeByPointer = async (): Promise<void> => {
    await onTake()
    const field = document.querySelector<HTMLElement>('[data-compositor]')
    if (matchMedia('(pointer: fine)').matches) field?.focus()
    else title.current?.focus()
  }
  return (
    <Button
      variant="primary"
      size="touch"
      className={ACTION_CLASS}
      busy={busy}
      aria-keyshortcuts="a"
      title="Assumir (A)"
      onClick={() => void takeByPointer()}
    >
      {!busy && <Hand size={18} aria-hidden className="max-[21.5rem]:hidden" />} Assumir
    </Button>
  )
}

interface OpenActionsProps {
  readonly busy: boolean
  readonly onTransfer: () => void
  readonly onFinish: () => void
}

function OpenActions({ busy, onTransfer, onFinish }: OpenActionsProps) {
  return (
    <>
      <Button
        size="touch"
        className={ACTION_CLASS}
        aria-keyshortcuts="t"
        title="Transferir (T)"
        disabled={busy}
        onClick={onTransfer}
      >
        <ArrowLeftRight size={18} aria-hidden className="max-sm:hidden" /> Transferir
      </Button>
      <Button
        size="touch"
        className={ACTION_CLASS}
        aria-keyshortcuts="e"
        title="Finalizar (E)"
        disabled={busy}
        onClick={onFinish}
      >
        Finalizar
      </Button>
    </>
  )
}

/** The actions of the open conversa, their keys and their dialogs. */
export function ChatActionBar({ conversa, setor, setores, open, wide, title, onClose }: ChatActionBarProps) {
  const actions = useChatActions(onClose)
  const [question, setQuestion] = useState<ChatQuestion>(null)
  const busy = actions.busyId === conversa.id
  const free = open && isFree(conversa)
  const ask = (which: ChatQuestion) => (): void => {
    if (open) setQuestion(which)
  }
  const take = async (): Promise<void> => {
    if (free && !busy) await actions.take(conversa)
  }
  const leaveUnread = (): void => {
    if (!open) return
    markUnread(conversa.id)
    onClose()
  }
  useHotkeys({ u: leaveUnread, a: () => void take(), t: ask('transferir'), e: ask('finalizar') })
  const details = { label: 'Detalhes', icon: <Info size={18} aria-hidden />, run: () => setQuestion('detalhes') }
  const onlyOpen = [
    { label: 'Marcar como não lida', icon: <MessageCircleDashed size={18} aria-hidden />, run: leaveUnread },
    { label: 'Devolver ao bot', icon: <Bot size={18} aria-hidden />, run: ask('devolver') },
  ]
  const more: readonly MenuItem[] = [...(wide ? [] : [details]), ...(open ? onlyOpen : [])]
  return (
    <>
      <div
        role="group"
        aria-label="Ações da conversa"
        className="pe-do-chat flex items-center gap-1 border-t bg-surface px-2 pt-2 sm:gap-2 sm:px-3"
      >
        {free && <TakeButton busy={busy} onTake={take} title={title} />}
        {open && <OpenActions busy={busy} onTransfer={ask('transferir')} onFinish={ask('finalizar')} />}
        {more.length > 0 && (
          <Menu
            label="Mais ações"
            button={<EllipsisVertical size={20} aria-hidden />}
            items={more}
            className="btn btn-ghost btn-icon btn-touch ml-auto"
          />
        )}
      </div>
      <ChatQuestions {...{ conversa, setor, setores, actions, question }} onClose={() => setQuestion(null)} />
    </>
  )
}
