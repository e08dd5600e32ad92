import { MicOff, SendHorizontal, Square, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useBotStatus } from '#shared/data/bot-status.ts'
import { formatPlaybackTime } from '#shared/media/media-texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'
import { type Recording, useRecording } from '#features/atendimento/use-gravacao.ts'

export interface RecorderProps {
  readonly onSend: (arquivo: File) => void
  readonly onClose: () => void
}

export function Recorder({ onSend, onClose }: RecorderProps) {
  // The first value counts: a later status must not restart the recording.
  const { conector } = useBotStatus().bot
  const [servico] = useState(conector)
  const { gravacao, parar } = useRecording(servico)
  const frame = useRef<HTMLDivElement>(null)
  const { etapa } = gravacao
  // Each step removes the focused element, so the focus moves to the next step.
  useEffect(() => frame.current?.querySelector<HTMLElement>('[data-foco]')?.focus(), [etapa])
  return (
    <div ref={frame}>
      <RecorderStep gravacao={gravacao} parar={parar} onSend={onSend} onClose={onClose} />
    </div>
  )
}

type RecorderStepProps = RecorderProps & { gravacao: Recording; parar: () => void }

function RecorderStep({ gravacao, parar, onSend, onClose }: RecorderStepProps) {
  const discard = (
    <IconButton
      label="Descartar áudio"
      className="!size-11 flex-none"
      icon={<Trash2 size={20} aria-hidden />}
      onClick={onClose}
    />
  )
  switch (gravacao.etapa) {
    case 'pedindo':
      return (
        <div className="flex items-center gap-3">
          {discard}
          <p role="status" className="flex flex-1 items-center gap-2 text-sm text-muted">
            <Spinner tamanho={16} /> Permita o microfone para gravar…
          </p>
        </div>
      )
    case 'gravando':
      return (
        <div className="flex items-center gap-3">
          {discard}
          <p className="flex min-w-0 flex-1 items-center gap-2 font-semibold tabular-nums">
            <span
              aria-hidden
              className="size-3 flex-none animate-pulse rounded-full bg-danger motion-reduce:animate-none"
            />
            <span role="status">Gravando</span>
            <span role="timer" aria-label="Tempo de gravação">
              {formatPlaybackTime(gravacao.segundos)}
            </span>
          </p>
          <Button data-foco variant="primary" className="min-h-11" onClick={parar}>
            <Square size={16} aria-hidden /> Parar
          </Button>
        </div>
      )
    case 'pronta':
      return (
        <div className="flex flex-wrap items-center justify-end gap-2">
          {discard}
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the person's own voice */}
          <audio
            controls
            src={gravacao.url}
            aria-label="Ouvir antes de enviar"
            className="h-11 min-w-0 flex-1 basis-48"
          />
          <Button data-foco variant="primary" className="min-h-11" onClick={() => onSend(gravacao.arquivo)}>
            <SendHorizontal size={18} aria-hidden /> Enviar áudio
          </Button>
        </div>
      )
    case 'recusada':
      return (
        <div className="flex items-start gap-3 rounded-lg bg-warn-soft p-3 text-sm text-warn-ink">
          <MicOff size={20} aria-hidden className="mt-0.5 flex-none" />
          <p role="alert" className="flex-1 font-semibold">
            {gravacao.motivo}
          </p>
          <Button data-foco onClick={onClose}>
            Entendi
          </Button>
        </div>
      )
  }
}
