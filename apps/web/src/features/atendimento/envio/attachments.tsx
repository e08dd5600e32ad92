import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { FileText, Music, SendHorizontal, X } from 'lucide-react'
import { type SubmitEvent, useCallback, useId, useState } from 'react'
import { useBotStatus } from '#shared/data/bot-status.ts'
import { formatFileSize } from '#shared/media/media-texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { uploadRefusal, midiaTypeOf } from '#features/atendimento/enviar-midia.ts'
import { ReplyingTo } from '#features/atendimento/respondendo.tsx'

function FilePreview({ arquivo }: { arquivo: File }) {
  const show = useCallback(
    (picture: HTMLImageElement) => {
      const url = URL.createObjectURL(arquivo)
      picture.src = url
      return () => URL.revokeObjectURL(url)
    },
    [arquivo],
  )
  return <img ref={show} alt={arquivo.name} className="mx-auto max-h-[40dvh] max-w-full rounded-lg object-contain" />
}

interface AttachmentItemProps {
  readonly file: File
  readonly refusal: string | null
  readonly onRemove: (() => void) | null
}

function AttachmentItem({ file, refusal, onRemove }: AttachmentItemProps) {
  const tipo = midiaTypeOf(file)
  const Icone = tipo === 'audio' ? Music : FileText
  return (
    <li className="rounded-xl border p-2">
      {tipo === 'imagem' && refusal === null && <FilePreview arquivo={file} />}
      <div className="flex items-center gap-2 pl-1">
        {tipo !== 'imagem' && <Icone size={20} aria-hidden className="flex-none text-muted" />}
        <span className="min-w-0 flex-1 truncate text-sm">
          {file.name} <span className="text-muted">· {formatFileSize(file.size)}</span>
        </span>
        {onRemove !== null && (
          <IconButton
            label={`Tirar ${file.name}`}
            tooltip={false}
            icon={<X size={18} aria-hidden />}
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
  /** Text already typed in the composer becomes the caption. */
  readonly initialCaption: string
  readonly onChange: (arquivos: readonly File[]) => void
  readonly onSend: (arquivos: readonly File[], caption: string) => void
  readonly onClose: () => void
}

export function Attachments({
  files,
  recipient,
  quoted,
  initialCaption,
  onChange: onMudar,
  onSend,
  onClose,
}: AttachmentsProps) {
  const id = useId()
  const [caption, setLegenda] = useState(initialCaption)
  const { conector } = useBotStatus().bot
  const bons = files.filter((arquivo) => uploadRefusal(arquivo, conector) === null)
  const send = (event: SubmitEvent): void => {
    event.preventDefault()
    if (bons.length > 0) onSend(bons, caption.trim())
  }
  return (
    <Dialog open title={`Enviar para ${recipient}`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={send}>
        {quoted !== null && (
          <div className="rounded-lg border-l-4 border-brand bg-sunken px-3">
            <ReplyingTo mensagem={quoted} />
          </div>
        )}
        <ul className="grid gap-2">
          {files.map((arquivo, index) => (
            <AttachmentItem
              key={`${arquivo.name} ${arquivo.lastModified} ${arquivo.size}`}
              file={arquivo}
              refusal={uploadRefusal(arquivo, conector)}
              onRemove={files.length > 1 ? () => onMudar(files.filter((_, i) => i !== index)) : null}
            />
          ))}
        </ul>
        <div className="grid gap-1">
          <label htmlFor={id} className="text-sm font-semibold">
            Legenda (opcional)
          </label>
          <textarea
            id={id}
            rows={1}
            className="field max-h-32 min-h-11 resize-none [field-sizing:content]"
            maxLength={TEXTO_MAXIMO}
            value={caption}
            onChange={({ currentTarget }) => setLegenda(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
        </div>
        <Button type="submit" variant="primary" className="min-h-11" disabled={bons.length === 0}>
          <SendHorizontal size={18} aria-hidden />{' '}
          {bons.length > 1 ? `Enviar ${bons.length} arquivos` : 'Enviar arquivo'}
        </Button>
      </form>
    </Dialog>
  )
}
