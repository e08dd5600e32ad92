import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { fillReplyVariables } from '@balcao/engine/rules/reply-variables'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react'
import { sendTypingSignal } from '#features/atendimento/conversa/typing.ts'
import { type Suggestion, useSuggestion } from '#features/atendimento/sugestao/use-suggestion.ts'
import { changeField, wrapWith } from '#shared/form/text-marks.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useOnline } from '#shared/hooks/use-online.ts'
import type { LinhaLook } from '#shared/conta/linha-look.ts'
import { useUsuario } from '#shared/session.tsx'
import { useDraft, writeDraft } from './drafts.ts'
import { QuickReplies, type QuickReplyList, useQuickReplies } from './quick-replies.tsx'
import { ComposerTools, SendButtons } from './composer-buttons.tsx'
import { ComposerHints, ComposerNotices } from './composer-notices.tsx'
import type { ReachedLimite } from './send-result.ts'
import { isTakenByOther, usePendingSends } from './use-send.ts'

const SuggestionBar = lazy(async () => ({
  default: (await import('#features/atendimento/sugestao/suggestion-bar.tsx')).SuggestionBar,
}))
const Recorder = lazy(async () => ({ default: (await import('./recorder.tsx')).Recorder }))

export interface ComposerProps {
  readonly conversa: Conversa
  readonly linha: LinhaLook | undefined
  readonly limite: ReachedLimite | null
  readonly fromCopy: boolean
  readonly children: ReactNode
  readonly onSend: (text: string) => void
  readonly onAttach: (files: readonly File[]) => void
  readonly onAudio: (file: File) => void
  /** Undefined: nothing can be scheduled. */
  readonly onSchedule: (() => void) | undefined
  readonly onLeave: () => void
}

function readOnlyReason(
  { conversa, fromCopy }: ComposerProps,
  { id, tipo }: ReturnType<typeof useUsuario>,
  online: boolean,
): string | null {
  if (conversa.status === 'finalizada') return 'Esta conversa foi finalizada. Ela pode ser lida, não respondida.'
  if (fromCopy && online) return 'Sem contato com o servidor: esta é a cópia guardada neste aparelho.'
  if (isTakenByOther(conversa, id)) {
    const how = tipo === 'operador' ? 'transfira a conversa e assuma' : 'assuma a conversa'
    return `${conversa.operador ?? 'Outra pessoa'} está atendendo. Para responder, ${how}.`
  }
  return null
}

const OFFLINE_TEXT = 'Sem internet: o texto que você enviar espera neste aparelho e sai quando a conexão voltar.'

interface ComposerState {
  readonly text: string
  readonly canWrite: boolean
  readonly writable: boolean
  readonly sending: boolean
  readonly canSend: boolean
  readonly reason: string | null
}

function useComposerState(props: ComposerProps): ComposerState {
  const { conversa, limite } = props
  const text = useDraft(conversa.id)
  const sending = usePendingSends(conversa.id).some(({ message }) => message.file === undefined)
  const online = useOnline()
  const blocked = readOnlyReason(props, useUsuario(), online)
  const canWrite = blocked === null && limite === null
  const reason = blocked ?? (online ? null : OFFLINE_TEXT)
  // A file is too large to wait on the device.
  const writable = canWrite && online
  return { text, canWrite, writable, sending, canSend: canWrite && !sending && text.trim() !== '', reason }
}

interface ComposerFieldProps {
  readonly id: string
  readonly conversa: Conversa
  readonly linha: LinhaLook | undefined
  readonly disabled: boolean
  readonly writes: boolean
  readonly text: string
  readonly replies: QuickReplyList
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>
  readonly onText: (text: string) => void
  readonly onKey: (event: KeyboardEvent) => void
  readonly onPaste: (event: ClipboardEvent) => void
}

function ComposerField({
  id,
  conversa,
  linha,
  disabled,
  writes,
  text,
  replies,
  fieldRef,
  onText,
  onKey,
  onPaste,
}: ComposerFieldProps) {
  const roomy = useMediaQuery('(min-width: 96rem)')
  const repliesOpen = (replies.found?.length ?? 0) > 0
  return (
    <>
      <label htmlFor={`${id}-campo`} className="sr-only">
        Mensagem para {conversa.cliente.nome}
        {linha !== undefined && `, pela linha ${linha.nome}`}
      </label>
      <textarea
        ref={fieldRef}
        id={`${id}-campo`}
        data-compositor={writes ? 'livre' : ''}
        rows={1}
        // Six lines, then the field scrolls.
        style={{ maxHeight: 'calc(6lh + 1rem + 2px)' }}
        className="field field-sizing-content min-h-11 min-w-0 flex-1 resize-none placeholder:truncate lg:min-h-10"
        placeholder={roomy ? 'Escreva, ou / para respostas prontas' : 'Escreva ou digite /'}
        autoComplete="off"
        enterKeyHint="send"
        maxLength={TEXTO_MAXIMO}
        disabled={disabled}
        aria-controls={repliesOpen ? id : undefined}
        aria-activedescendant={repliesOpen ? `${id}-${replies.selected}` : undefined}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKey}
        onPaste={onPaste}
      />
    </>
  )
}

/** The marks by key, as on WhatsApp's own screen. */
function markOfKey({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string | undefined {
  if (!ctrlKey && !metaKey) return undefined
  if (shiftKey) return key.toLowerCase() === 'x' ? '~' : undefined
  return key === 'b' ? '*' : key === 'i' ? '_' : undefined
}

function useComposerField(props: ComposerProps, { text, writable, canSend }: ComposerState) {
  const { conversa, onSend, onAttach, onLeave } = props
  const fieldRef = useRef<HTMLTextAreaElement>(null)
  const onText = (fresh: string): void => {
    writeDraft(conversa.id, fresh)
    if (writable && fresh.trim() !== '' && !fresh.startsWith('/')) sendTypingSignal(conversa.id)
  }
  const { nome: operador, empresa } = useUsuario()
  const insert = (reply: string): void => {
    const { protocolo, cliente, linha } = conversa
    const nome = cliente.nome === cliente.telefone ? '' : cliente.nome
    onText(fillReplyVariables(reply, { nome, protocolo, operador, empresa, linha: linha?.nome ?? '' }))
    fieldRef.current?.focus()
  }
  const replies = useQuickReplies(text, insert)
  const send = (): void => {
    if (!canSend) return
    onSend(text.trim())
    fieldRef.current?.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || replies.onKey(event)) return
    const mark = markOfKey(event)
    if (mark !== undefined) {
      event.preventDefault()
      changeField(fieldRef, onText, wrapWith(mark))
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      if (replies.found === null) onLeave()
      else onText('')
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      // A held Enter opens the chat from the list and must not send its draft.
      if (!event.repeat) send()
    }
  }
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files]
    if (files.length === 0 || !writable) return
    event.preventDefault()
    onAttach(files)
  }
  return { fieldRef, replies, insert, send, onText, onKey, onPaste }
}

function SuggestionPart({ suggestion }: { suggestion: Suggestion }) {
  const { state } = suggestion
  return <Suspense>{state !== null && <SuggestionBar {...{ state, suggestion }} />}</Suspense>
}

/** Enter sends, Shift+Enter breaks the line, `/` opens the quick replies. The draft is kept per conversa. */
export function Composer(props: ComposerProps) {
  const { conversa, linha, limite, children, onAttach, onAudio, onSchedule } = props
  const id = useId()
  const state = useComposerState(props)
  const { insert, send, ...field } = useComposerField(props, state)
  const suggestion = useSuggestion(conversa, state.text, state.canWrite)
  const [recording, setRecording] = useState(false)
  const finished = conversa.status === 'finalizada'
  const closed = finished || limite !== null
  const closeRecorder = (): void => {
    setRecording(false)
    requestAnimationFrame(() => field.fieldRef.current?.focus())
  }
  const sendAudio = (file: File): void => {
    onAudio(file)
    closeRecorder()
  }
  return (
    <div className="p-2 lg:pt-1">
      <ComposerNotices limite={limite} reason={state.reason} />
      {!finished && <ComposerHints conversa={conversa} linha={linha} />}
      {children}
      <QuickReplies id={id} list={field.replies} linha={linha?.nome} onUse={insert} />
      <SuggestionPart suggestion={suggestion} />
      <Suspense>{recording && <Recorder onClose={closeRecorder} onSend={sendAudio} />}</Suspense>
      <form
        className="flex items-end gap-1"
        hidden={recording}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <ComposerTools
          conversaId={conversa.id}
          field={field.fieldRef}
          sends={state.writable}
          writes={!closed}
          onText={field.onText}
          {...{ onAttach, onSchedule, onSuggest: suggestion.ask }}
        />
        <ComposerField
          {...field}
          id={id}
          {...{ conversa, linha }}
          text={state.text}
          disabled={closed}
          writes={state.canWrite}
        />
        <SendButtons
          {...state}
          empty={state.text === ''}
          canRecord={state.writable}
          onRecord={() => setRecording(true)}
          onSchedule={onSchedule}
        />
      </form>
    </div>
  )
}
