import { type ConectorTipo, CONNECTORS } from '@balcao/contract/connectors'
import { MicOff, SendHorizontal, Square, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useBotStatus } from '#shared/data/bot-status.ts'
import { formatPlaybackTime } from '#shared/media/media-texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'

/** 5 minutes of audio stay far below the 5 MB file limit. */
const RECORDING_MAX_S = 300
/** In order of preference. Every connector accepts the formats before WebM. */
const FORMATS = ['audio/ogg;codecs=opus', 'audio/mp4;codecs=mp4a.40.2', 'audio/mp4', 'audio/webm;codecs=opus']
const UNSUPPORTED_FORMAT_TEXT =
  'Este navegador grava num formato que a API oficial do WhatsApp não aceita. Grave por outro navegador, ou anexe um áudio em MP3, M4A ou OGG.'

class UnsupportedFormat extends Error {}

type Recording =
  | { readonly step: 'asking' }
  | { readonly step: 'recording'; readonly seconds: number }
  | { readonly step: 'ready'; readonly file: File; readonly url: string }
  | { readonly step: 'refused'; readonly reason: string }

/** The first format that the browser records and the connector sends. Undefined: the browser chooses. */
function recordingFormat(conector: ConectorTipo | undefined): string | undefined {
  const accepted = conector === undefined ? null : CONNECTORS[conector].recordingFormats
  const format = (accepted ?? FORMATS).find((candidate) => MediaRecorder.isTypeSupported(candidate))
  if (format === undefined && accepted !== null) throw new UnsupportedFormat()
  return format
}

function failureText(error: unknown): string {
  if (error instanceof UnsupportedFormat) return UNSUPPORTED_FORMAT_TEXT
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    return 'O microfone está bloqueado para este site. Toque no cadeado ao lado do endereço, permita o microfone e tente de novo.'
  }
  if (name === 'NotFoundError') return 'Nenhum microfone foi encontrado neste aparelho.'
  if (name === 'NotReadableError') return 'O microfone está em uso por outro programa. Feche-o e tente de novo.'
  return 'Este navegador não consegue gravar áudio aqui. Abra o painel por um endereço https e tente de novo.'
}

function toFile(parts: readonly Blob[], type: string): File {
  const [mime = 'audio/webm'] = type.split(';')
  const extension = mime === 'audio/mp4' ? 'm4a' : (mime.split('/')[1] ?? 'webm')
  return new File([...parts], `audio-${Date.now()}.${extension}`, { type: mime })
}

function useRecording(conector: ConectorTipo | undefined): {
  readonly recording: Recording
  readonly stop: () => void
} {
  const [recording, setRecording] = useState<Recording>({ step: 'asking' })
  const recorder = useRef<MediaRecorder | null>(null)
  const stop = useCallback(() => {
    if (recorder.current?.state === 'recording') recorder.current.stop()
  }, [])
  useEffect(() => {
    let left = false
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setInterval> | undefined
    let url: string | undefined
    async function record(): Promise<void> {
      const mimeType = recordingFormat(conector)
      stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      if (left) return close()
      const media = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType })
      const parts: Blob[] = []
      const startedAt = performance.now()
      const seconds = (): number => (performance.now() - startedAt) / 1_000
      media.addEventListener('dataavailable', ({ data }) => parts.push(data))
      media.addEventListener('stop', () => {
        close()
        if (left) return
        const file = toFile(parts, media.mimeType)
        url = URL.createObjectURL(file)
        setRecording({ step: 'ready', file, url })
      })
      media.start()
      recorder.current = media
      setRecording({ step: 'recording', seconds: 0 })
      timer = setInterval(() => {
        if (seconds() >= RECORDING_MAX_S) stop()
        else setRecording({ step: 'recording', seconds: seconds() })
      }, 500)
    }
    function close(): void {
      clearInterval(timer)
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    record().catch((error: unknown) => {
      close()
      if (!left) setRecording({ step: 'refused', reason: failureText(error) })
    })
    return () => {
      left = true
      stop()
      close()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [stop, conector])
  return { recording, stop }
}

export interface RecorderProps {
  readonly onSend: (file: File) => void
  readonly onClose: () => void
}

export function Recorder({ onSend, onClose }: RecorderProps) {
  // The first value counts: a later status must not restart the recording.
  const { conector } = useBotStatus().bot
  const [firstConector] = useState(conector)
  const { recording, stop } = useRecording(firstConector)
  const frame = useRef<HTMLDivElement>(null)
  const { step } = recording
  // Each step removes the focused element, so the focus moves to the next step.
  useEffect(() => frame.current?.querySelector<HTMLElement>('[data-foco]')?.focus(), [step])
  return (
    <div ref={frame}>
      <RecorderStep recording={recording} stop={stop} onSend={onSend} onClose={onClose} />
    </div>
  )
}

function RecorderStep({
  recording,
  stop,
  onSend,
  onClose,
}: RecorderProps & { recording: Recording; stop: () => void }) {
  switch (recording.step) {
    case 'asking':
      return (
        <div className="flex items-center gap-3">
          <DiscardButton onClick={onClose} />
          <p role="status" className="flex flex-1 items-center gap-2 text-sm text-muted">
            <Spinner tamanho={16} /> Permita o microfone para gravar…
          </p>
        </div>
      )
    case 'recording':
      return <RecordingStep seconds={recording.seconds} onStop={stop} onDiscard={onClose} />
    case 'ready':
      return <ReadyStep url={recording.url} onSend={() => onSend(recording.file)} onDiscard={onClose} />
    case 'refused':
      return (
        <div className="flex items-start gap-3 rounded-lg bg-warn-soft p-3 text-sm text-warn-ink">
          <MicOff size={20} aria-hidden className="mt-0.5 flex-none" />
          <p role="alert" className="flex-1 font-semibold">
            {recording.reason}
          </p>
          <Button data-foco onClick={onClose}>
            Entendi
          </Button>
        </div>
      )
  }
}

function DiscardButton({ onClick }: { onClick: () => void }) {
  return <IconButton label="Descartar áudio" size="touch" icon={<Trash2 size={20} aria-hidden />} onClick={onClick} />
}

interface RecordingStepProps {
  readonly seconds: number
  readonly onStop: () => void
  readonly onDiscard: () => void
}

function RecordingStep({ seconds, onStop, onDiscard }: RecordingStepProps) {
  return (
    <div className="flex items-center gap-3">
      <DiscardButton onClick={onDiscard} />
      <p className="flex min-w-0 flex-1 items-center gap-2 font-semibold tabular-nums">
        <span
          aria-hidden
          className="size-3 flex-none animate-pulse rounded-full bg-danger motion-reduce:animate-none"
        />
        <span role="status">Gravando</span>
        <span role="timer" aria-label="Tempo de gravação">
          {formatPlaybackTime(seconds)}
        </span>
      </p>
      <Button data-foco variant="primary" size="touch" onClick={onStop}>
        <Square size={16} aria-hidden /> Parar
      </Button>
    </div>
  )
}

interface ReadyStepProps {
  readonly url: string
  readonly onSend: () => void
  readonly onDiscard: () => void
}

function ReadyStep({ url, onSend, onDiscard }: ReadyStepProps) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <DiscardButton onClick={onDiscard} />
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the person's own voice */}
      <audio controls src={url} aria-label="Ouvir antes de enviar" className="h-11 min-w-0 flex-1 basis-48" />
      <Button data-foco variant="primary" size="touch" onClick={onSend}>
        <SendHorizontal size={18} aria-hidden /> Enviar áudio
      </Button>
    </div>
  )
}
