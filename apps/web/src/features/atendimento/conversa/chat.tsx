import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { ArrowLeft, BellOff } from 'lucide-react'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { ChatQuestions, useConversaActs } from '#features/atendimento/acoes/chat-questions.tsx'
import { ChatStatus } from '#features/atendimento/detalhes/chat-status.tsx'
import { type DetailsState, useDetails } from '#features/atendimento/detalhes/use-details.ts'
import { Composer } from '#features/atendimento/envio/composer.tsx'
import { readDraft, writeDraft } from '#features/atendimento/envio/drafts.ts'
import { useReachedLimite } from '#features/atendimento/envio/send-result.ts'
import { isTakenByOther, useResend, useSend, useSendConfirmations } from '#features/atendimento/envio/use-send.ts'
import type { SetorLook } from '#features/atendimento/setores/use-setores.ts'
import { ComposerFrame, type ComposerMode } from '#features/atendimento/notas/composer-mode.tsx'
import { type LinhaLook, useLinhaOf } from '#shared/conta/linha-look.ts'
import { useFileDrop } from '#shared/hooks/use-file-drop.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useOwnsIa, useUsuario } from '#shared/session.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { ChatActionBar } from './chat-actions.tsx'
import { focusChat } from '#features/atendimento/focus-chat.ts'
import { MensagemList } from './mensagem-list.tsx'
import { QuotedMensagem } from './quoted-mensagem.tsx'
import { useMensagemActions } from './use-reactions.ts'

const Attachments = lazy(async () => ({
  default: (await import('#features/atendimento/envio/attachments.tsx')).Attachments,
}))
const AgendadaStrip = lazy(async () => ({
  default: (await import('#features/atendimento/agendadas/agendada-strip.tsx')).AgendadaStrip,
}))
const ConversaDetails = lazy(async () => ({
  default: (await import('#features/atendimento/detalhes/conversa-details.tsx')).ConversaDetails,
}))
const MensagemActs = lazy(async () => ({
  default: (await import('#features/atendimento/mensagem/mensagem-acts.tsx')).MensagemActs,
}))
const WhyAnswer = lazy(async () => ({ default: (await import('#shared/ia/why-answer.tsx')).WhyAnswer }))

export interface ChatProps {
  readonly conversa: Conversa
  readonly setor: SetorLook
  readonly setores: readonly Setor[]
  readonly fromCopy: boolean
  readonly phone: boolean
  readonly onClose: () => void
}

type TitleRef = RefObject<HTMLHeadingElement | null>

interface ChatHeaderProps extends Pick<ChatProps, 'conversa' | 'setor' | 'onClose'> {
  readonly linha: LinhaLook | undefined
  readonly title: TitleRef
  readonly children: ReactNode
}

function ChatHeader({ conversa, setor, linha, onClose, title, children }: ChatHeaderProps) {
  return (
    <header className="flex min-h-13 items-center gap-1 border-b bg-surface px-2 py-1 lg:gap-2 lg:pl-4">
      <IconButton
        label="Voltar às conversas"
        tooltip={false}
        size="touch"
        className="lg:hidden"
        icon={<ArrowLeft size={20} aria-hidden />}
        onClick={onClose}
      />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <h2 id="quem" ref={title} tabIndex={-1} className="truncate font-bold outline-none">
            {conversa.cliente.nome}
          </h2>
          {conversa.pediuParada === true && (
            <Chip className="flex-none">
              <BellOff aria-hidden className="size-3.5" /> Pediu PARAR
            </Chip>
          )}
        </div>
        <ChatStatus {...{ conversa, setor, linha }} />
      </div>
      {children}
    </header>
  )
}

function Details({ conversa, details }: Pick<ChatProps, 'conversa'> & { details: DetailsState }) {
  const content = (
    <LazyPart name="os detalhes">
      <ConversaDetails conversa={conversa} />
    </LazyPart>
  )
  return (
    <>
      {details.panel && (
        <aside
          aria-label="Detalhes"
          // A scrollable area must be reachable by keyboard.
          tabIndex={0}
          className="relative w-60 flex-none overflow-y-auto overscroll-contain border-l p-4 -outline-offset-2 2xl:w-80"
        >
          {content}
        </aside>
      )}
      <Dialog side open={details.overlay} title={conversa.cliente.nome} onClose={details.closeOverlay}>
        {content}
      </Dialog>
    </>
  )
}

function useChat({ conversa, fromCopy }: ChatProps) {
  const limite = useReachedLimite()
  const open = conversa.status !== 'finalizada' && !fromCopy
  const writable = open && limite === null && !isTakenByOther(conversa, useUsuario().id)
  const marks = useMensagemActions(conversa, { writable, fromCopy })
  const [files, setFiles] = useState<readonly File[]>([])
  const drop = useFileDrop(setFiles)
  const [explainedId, setExplainedId] = useState<string | null>(null)
  const { sendText, sendFiles } = useSend(conversa.id)
  const resend = useResend(conversa.id)
  useSendConfirmations()
  return {
    conversa,
    fromCopy,
    open,
    writable,
    limite,
    marks,
    files,
    setFiles,
    drop,
    explainedId,
    setExplainedId,
    resend: open ? resend : undefined,
    sendText: (text: string) => sendText(text, marks.quoted),
    sendFiles: (chosen: readonly File[], caption: string) => {
      setFiles([])
      sendFiles(chosen, caption, marks.quoted)
    },
  }
}

type ChatState = ReturnType<typeof useChat>

interface ChatComposerProps {
  readonly chat: ChatState
  readonly linha: LinhaLook | undefined
  readonly title: TitleRef
  readonly onSchedule: () => void
  readonly mode: ComposerMode
  readonly onMode: (mode: ComposerMode) => void
}

function ChatComposer({ chat, linha, title, onSchedule, mode, onMode }: ChatComposerProps) {
  const { conversa, marks } = chat
  const sender = chat.open ? linha : undefined
  return (
    <ComposerFrame {...{ conversa, mode, onMode }} linha={sender}>
      <Composer
        conversa={conversa}
        linha={sender}
        limite={chat.limite}
        fromCopy={chat.fromCopy}
        onSend={chat.sendText}
        onAttach={chat.setFiles}
        onAudio={(audio) => chat.sendFiles([audio], '')}
        onSchedule={chat.open ? onSchedule : undefined}
        onLeave={() => title.current?.focus()}
      >
        {marks.quoted !== null && <QuotedMensagem mensagem={marks.quoted} onRemove={() => marks.quote(null)} />}
      </Composer>
    </ComposerFrame>
  )
}

function ChatDialogs(chat: ChatState) {
  const { conversa, files, marks, explainedId } = chat
  return (
    <Suspense>
      {files.length > 0 && (
        <Attachments
          files={files}
          recipient={conversa.cliente.nome}
          quoted={marks.quoted}
          initialCaption={readDraft(conversa.id)}
          onChange={chat.setFiles}
          onClose={() => chat.setFiles([])}
          onSend={(chosen, caption) => {
            writeDraft(conversa.id, '')
            chat.sendFiles(chosen, caption)
          }}
        />
      )}
      {marks.chosen !== null && <MensagemActs conversaId={conversa.id} marks={marks} />}
      {explainedId !== null && <WhyAnswer mensagemId={explainedId} onClose={() => chat.setExplainedId(null)} />}
    </Suspense>
  )
}

export function Chat(props: ChatProps) {
  const { conversa, setor, setores, phone, onClose } = props
  const chat = useChat(props)
  const details = useDetails(conversa.id, useMediaQuery('(min-width: 93.75rem)'))
  const linha = useLinhaOf()(conversa.linha)
  const explains = useOwnsIa()
  const [mode, setMode] = useState<ComposerMode>('mensagem')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(focusChat, [])
  useHotkeys({
    // Esc in the field leaves to the title: Enter jumps back.
    Enter: (key) => {
      if (key.target !== title.current) return
      key.preventDefault()
      document.querySelector<HTMLElement>('[data-compositor]')?.focus()
    },
  })
  const changeMode = (fresh: ComposerMode): void => {
    setMode(fresh)
    // The field of a nota takes the focus itself once it is loaded.
    if (fresh === 'mensagem')
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-compositor]')?.focus())
  }
  const onNota = (): void => changeMode('nota')
  const acts = useConversaActs(onClose)
  const bar = <ChatActionBar {...{ conversa, acts, phone, details, onNota, onClose }} open={chat.open} />
  return (
    <>
      <section
        aria-labelledby="quem"
        className="relative flex min-h-0 min-w-0 flex-1 flex-col"
        data-conversa-aberta
        {...(chat.writable ? chat.drop.soltar : {})}
      >
        <ChatHeader {...{ conversa, setor, linha, onClose, title }}>{!phone && bar}</ChatHeader>
        <MensagemList
          conversa={conversa}
          fromCopy={chat.fromCopy}
          onResend={chat.resend}
          onWhy={explains ? chat.setExplainedId : undefined}
          onActions={chat.marks.choose}
        />
        <Suspense>
          <AgendadaStrip conversaId={conversa.id} />
        </Suspense>
        {phone && bar}
        <ChatComposer {...{ chat, linha, title, mode }} onSchedule={() => acts.ask('agendar')} onMode={changeMode} />
        {chat.drop.sobre && (
          <p className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-2xl border-2 border-dashed border-brand bg-surface/90 text-lg font-bold text-brand-ink">
            Solte para enviar a {conversa.cliente.nome}
          </p>
        )}
        <ChatDialogs {...chat} />
        <ChatQuestions {...{ conversa, setores, acts }} />
      </section>
      <Details {...{ conversa, details }} />
    </>
  )
}
