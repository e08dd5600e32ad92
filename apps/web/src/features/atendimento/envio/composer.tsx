import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { Mic, Paperclip, SendHorizontal } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { notifyTyping } from '#features/atendimento/conversa/typing.ts'
import { usePending } from '#features/atendimento/pendentes.ts'
import { writeDraft, useDraft } from './drafts.ts'
import type { ReachedLimite } from './send-result.ts'
import { QuickReplies, useQuickReplies } from './quick-replies.tsx'
import { useLimiteRaised } from '#features/atendimento/use-limite.ts'
import { isTakenByOther } from '#features/atendimento/vez.ts'

/** Filters the file picker only. The server detects the real type from the bytes. */
const ACCEPTED_UPLOADS =
  'image/png,image/jpeg,image/webp,application/pdf,audio/*,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.txt,.csv'

const Recorder = lazy(async () => ({ default: (await import('./recorder.tsx')).Recorder }))

function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener)
      addEventListener('offline', listener)
      return () => {
        removeEventListener('online', listener)
        removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
  )
}

export interface ComposerProps {
  readonly conversa: Conversa
  readonly limite: ReachedLimite | null
  readonly fromCopy: boolean
  readonly children: ReactNode
  readonly onSend: (text: string) => void
  readonly onAttach: (arquivos: readonly File[]) => void
  readonly onAudio: (arquivo: File) => void
  readonly onLeave: () => void
}

function readOnlyReason({ conversa, fromCopy }: ComposerProps, meuId: string, online: boolean): string | null {
  if (conversa.status === 'finalizada') return 'Esta conversa foi finalizada. Ela pode ser lida, não respondida.'
  if (fromCopy) return 'Sem contato com o servidor: esta é a cópia guardada neste aparelho.'
  if (isTakenByOther(conversa, meuId)) {
    return `${conversa.operador ?? 'Outra pessoa'} está atendendo. Para responder, transfira a conversa e assuma.`
  }
  return online ? null : 'Sem internet: o que você escrever fica guardado aqui até poder enviar.'
}

function LimiteNotice({ limite: { usado, limite, resetEm } }: { limite: ReachedLimite }) {
  useLimiteRaised()
  return (
    <p role="status" className="mb-2 rounded-lg bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
      Limite diário {formatNumber(usado)}/{formatNumber(limite)} · volta em {formatDateTime(resetEm)}
    </p>
  )
}

function ComposerNotices({ limite, motivo }: { limite: ReachedLimite | null; motivo: string | null }) {
  return (
    <>
      {limite !== null && <LimiteNotice limite={limite} />}
      {motivo !== null && (
        <p role="status" className="mb-2 rounded-lg bg-sunken px-3 py-2 text-sm text-muted">
          {motivo}
        </p>
      )}
    </>
  )
}

/** After PARAR only the bot stops sending until VOLTAR. An operador can still send. */
function PausedByCustomerNotice() {
  return (
    <p role="note" className="mb-1 px-1 text-xs text-muted">
      O bot não envia nada até VOLTAR. Você, sim.
    </p>
  )
}

function AttachButton({ desligado, onAnexar }: { desligado: boolean; onAnexar: (arquivos: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label="Anexar arquivo"
        className="!size-11 flex-none"
        disabled={desligado}
        icon={<Paperclip size={20} aria-hidden />}
        onClick={() => field.current?.click()}
      />
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={ACCEPTED_UPLOADS}
        aria-label="Escolher arquivos"
        onChange={({ currentTarget }) => {
          onAnexar([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Enter sends, Shift+Enter breaks the line, `/` opens the quick replies. The draft is kept per conversa. */
export function Composer(props: ComposerProps) {
  const { conversa, limite, children, onSend, onAttach, onAudio, onLeave } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const text = useDraft(conversa.id)
  const sending = usePending(conversa.id).some(({ mensagem }) => mensagem.midia === undefined)
  const motivo = readOnlyReason(props, useUsuario().id, useOnline())
  const amplo = useMediaQuery('(min-width: 96rem)')
  const [gravando, setGravando] = useState(false)
  const free = motivo === null && limite === null
  const podeEnviar = free && !sending && text.trim() !== ''

  const change = (fresh: string): void => {
    writeDraft(conversa.id, fresh)
    if (free && fresh.trim() !== '' && !fresh.startsWith('/')) notifyTyping(conversa.id)
  }
  const use = (ready: string): void => {
    change(ready)
    field.current?.focus()
  }
  const respostas = useQuickReplies(text, use)
  const send = (): void => {
    if (!podeEnviar) return
    onSend(text.trim())
    field.current?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || respostas.onKey(event)) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (respostas.found === null) onLeave()
      else change('')
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    }
  }
  const paste = (event: ClipboardEvent): void => {
    const arquivos = [...event.clipboardData.files]
    if (arquivos.length === 0 || !free) return
    event.preventDefault()
    onAttach(arquivos)
  }
  const fecharGravador = (): void => {
    setGravando(false)
    requestAnimationFrame(() => field.current?.focus())
  }
  const open = (respostas.found?.length ?? 0) > 0
  return (
    <div className="bg-surface p-2 sm:p-3">
      <ComposerNotices limite={limite} motivo={motivo} />
      {conversa.pediuParada === true && conversa.status !== 'finalizada' && <PausedByCustomerNotice />}
      {children}
      <QuickReplies id={id} list={respostas} onUse={use} />
      {gravando && (
        <Suspense>
          <Recorder
            onClose={fecharGravador}
            onSend={(arquivo) => {
              onAudio(arquivo)
              fecharGravador()
            }}
          />
        </Suspense>
      )}
      <form
        className="flex items-end gap-1 sm:gap-2"
        hidden={gravando}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <AttachButton desligado={!free} onAnexar={onAttach} />
        <label htmlFor={`${id}-campo`} className="sr-only">
          Mensagem para {conversa.cliente.nome}
        </label>
        <textarea
          ref={field}
          id={`${id}-campo`}
          data-compositor
          rows={1}
          className="field max-h-36 min-h-11 min-w-0 flex-1 resize-none [field-sizing:content] placeholder:truncate"
          placeholder={amplo ? 'Escreva, ou / para respostas prontas' : 'Escreva ou digite /'}
          autoComplete="off"
          enterKeyHint="send"
          maxLength={TEXTO_MAXIMO}
          disabled={conversa.status === 'finalizada' || limite !== null}
          aria-controls={open ? id : undefined}
          aria-activedescendant={open ? `${id}-${respostas.selected}` : undefined}
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onKeyDown={press}
          onPaste={paste}
        />
        {text === '' && (
          <IconButton
            label="Gravar áudio"
            className="!size-11 flex-none"
            disabled={!free}
            icon={<Mic size={20} aria-hidden />}
            onClick={() => setGravando(true)}
          />
        )}
        <Button type="submit" variant="primary" className="min-h-11 flex-none" disabled={!podeEnviar} busy={sending}>
          {!sending && <SendHorizontal size={18} aria-hidden />}
          <span className="max-sm:sr-only">{sending ? 'Enviando...' : 'Enviar'}</span>
        </Button>
      </form>
    </div>
  )
}
