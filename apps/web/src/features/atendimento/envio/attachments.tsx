import { type ConectorTipo, CONNECTORS } from '@balcao/contract/connectors'
import { IMAGEM_MAXIMO_BYTES, TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import clsx from 'clsx'
import { FileText, Music, SendHorizontal, X } from 'lucide-react'
import { type SubmitEvent, useCallback, useId, useState } from 'react'
import { ReplyingTo } from '#features/atendimento/conversa/quoted-mensagem.tsx'
import { useBotStatus } from '#shared/data/bot-status.ts'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { formatFileSize } from '#shared/media/media-texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { midiaTypeOf } from './use-send.ts'

/** Returns why a file cannot be sent, or null. The server detects the real type from the bytes. */
function uploadRefusal(file: File, conector: ConectorTipo | undefined): string | null {
  const formats = conector === undefined ? null : CONNECTORS[conector].recordingFormats
  const refusesWebm = formats?.some((format) => format.startsWith('audio/webm')) === false
  if (refusesWebm && /^(audio|video)\/webm$/.test(file.type)) {
    return `${file.name}: a API oficial do WhatsApp não aceita áudio em WebM. Envie em MP3, M4A ou OGG.`
  }
  if (file.size === 0) return `${file.name} está vazio.`
  return file.size > IMAGEM_MAXIMO_BYTES ? `${file.name} passa de 5 MB.` : null
}

function FilePreview({ file, small }: { file: File; small: boolean }) {
  const show = useCallback(
    (picture: HTMLImageElement) => {
      const url = URL.createObjectURL(file)
      picture.src = url
      return () => URL.revokeObjectURL(url)
    },
    [file],
  )
  const size = small ? 'h-20 w-full object-cover' : 'mx-auto max-h-[40dvh] max-w-full object-contain'
  return <img ref={show} alt={file.name} className={`rounded-lg ${size}`} />
}

interface AttachmentItemProps {
  readonly file: File
  readonly refusal: string | null
  /** Null for the only file: closing the dialog drops it. */
  readonly onRemove: (() => void) | null
}

function AttachmentItem({ file, refusal, onRemove }: AttachmentItemProps) {
  const tipo = midiaTypeOf(file)
  const Icon = tipo === 'audio' ? Music : FileText
  return (
    <li className={clsx('rounded-xl border p-2', onRemove !== null && 'w-40 flex-none')}>
      {tipo === 'imagem' && refusal === null && <FilePreview file={file} small={onRemove !== null} />}
      <div className="flex items-center gap-2 pl-1">
        {tipo !== 'imagem' && <Icon size={20} aria-hidden className="flex-none text-muted" />}
        <span className="min-w-0 flex-1 truncate text-sm">
          {file.name} <span className="text-muted">· {formatFileSize(file.size)}</span>
        </span>
        {onRemove !== null && (
          <IconButton
            label={`Tirar ${file.name}`}
            tooltip={false}
            icon={<X size={18} aria-hidden />}
            // The caption keeps the focus, so that Enter still sends.
            onMouseDown={(event) => event.preventDefault()}
            onClick={onRemove}
          />
        )}
      </div>
      {refusal !== null && (
        <p role="alert" className="p-1 text-sm font-semibold text-danger-ink">
          {refusal}
        </p>
      )}
    </li>
  )
}

export interface AttachmentsProps {
  readonly files: readonly File[]
  readonly recipient: string
  readonly quoted: Mensagem | null
  readonly initialCaption: string
  readonly onChange: (files: readonly File[]) => void
  readonly onSend: (files: readonly File[], caption: string) => void
  readonly onClose: () => void
}

function CaptionField({ caption, onCaption }: { caption: string; onCaption: (caption: string) => void }) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        Legenda (opcional)
      </label>
      <textarea
        id={id}
        rows={1}
        ref={initialFocus}
        className="field max-h-32 min-h-11 resize-none field-sizing-content"
        maxLength={TEXTO_MAXIMO}
        value={caption}
        onChange={({ currentTarget }) => onCaption(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
    </div>
  )
}

export function Attachments(props: AttachmentsProps) {
  const { files, recipient, quoted, initialCaption, onChange, onSend, onClose } = props
  const [caption, setCaption] = useState(initialCaption)
  const { conector } = useBotStatus().bot
  const accepted = files.filter((file) => uploadRefusal(file, conector) === null)
  const send = (event: SubmitEvent): void => {
    event.preventDefault()
    if (accepted.length > 0) onSend(accepted, caption.trim())
  }
  return (
    <Dialog open title={`Enviar para ${recipient}`} width={files.length > 1 ? 'lg' : 'md'} onClose={onClose}>
      <form className="grid gap-4" onSubmit={send}>
        {quoted !== null && (
          <div className="rounded-lg border-l-4 border-brand bg-sunken px-3">
            <ReplyingTo mensagem={quoted} />
          </div>
        )}
        {/* Ten pictures leave the caption and the button on the screen. */}
        <ul className={clsx('gap-2', files.length > 1 ? 'flex overflow-x-auto' : 'grid')}>
          {files.map((file, index) => (
            <AttachmentItem
              key={`${file.name} ${file.lastModified} ${file.size}`}
              file={file}
              refusal={uploadRefusal(file, conector)}
              onRemove={files.length > 1 ? () => onChange(files.filter((_, i) => i !== index)) : null}
            />
          ))}
        </ul>
        <CaptionField caption={caption} onCaption={setCaption} />
        <Button type="submit" variant="primary" size="touch" disabled={accepted.length === 0}>
          <SendHorizontal size={18} aria-hidden />{' '}
          {accepted.length > 1 ? `Enviar ${accepted.length} arquivos` : 'Enviar arquivo'}
        </Button>
      </form>
    </Dialog>
  )
}
