import { CONNECTORS, type ConectorTipo } from '@balcao/contract/connectors'
import { useCallback, useEffect, useRef, useState } from 'react'

/** 5 minutes of audio stay far below the 5 MB file limit. */
const RECORDING_MAX_S = 300
/** In order of preference. Every connector accepts the formats before WebM. */
const FORMATS = ['audio/ogg;codecs=opus', 'audio/mp4;codecs=mp4a.40.2', 'audio/mp4', 'audio/webm;codecs=opus']
const UNSUPPORTED_FORMAT_TEXT =
  'Este navegador grava num formato que a API oficial do WhatsApp não aceita. Grave por outro navegador, ou anexe um áudio em MP3, M4A ou OGG.'

class UnsupportedFormat extends Error {}

export type Recording =
  | { readonly etapa: 'pedindo' }
  | { readonly etapa: 'gravando'; readonly segundos: number }
  | { readonly etapa: 'pronta'; readonly arquivo: File; readonly url: string; readonly segundos: number }
  | { readonly etapa: 'recusada'; readonly motivo: string }

function failureText(error: unknown): string {
  if (error instanceof UnsupportedFormat) return UNSUPPORTED_FORMAT_TEXT
  const nome = error instanceof DOMException ? error.name : ''
  if (nome === 'NotAllowedError' || nome === 'SecurityError') {
    return 'O microfone está bloqueado para este site. Toque no cadeado ao lado do endereço, permita o microfone e tente de novo.'
  }
  if (nome === 'NotFoundError') return 'Nenhum microfone foi encontrado neste aparelho.'
  if (nome === 'NotReadableError') return 'O microfone está em uso por outro programa. Feche-o e tente de novo.'
  return 'Este navegador não consegue gravar áudio aqui. Abra o painel por um endereço https e tente de novo.'
}

function toFile(parts: readonly Blob[], tipo: string): File {
  const [mime = 'audio/webm'] = tipo.split(';')
  const extension = mime === 'audio/mp4' ? 'm4a' : (mime.split('/')[1] ?? 'webm')
  return new File([...parts], `audio-${Date.now()}.${extension}`, { type: mime })
}

export function useRecording(conector: ConectorTipo | undefined): {
  readonly gravacao: Recording
  readonly parar: () => void
} {
  const [gravacao, setGravacao] = useState<Recording>({ etapa: 'pedindo' })
  const recorder = useRef<MediaRecorder | null>(null)
  const parar = useCallback(() => {
    if (recorder.current?.state === 'recording') recorder.current.stop()
  }, [])
  useEffect(() => {
    let left = false
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setInterval> | undefined
    let url: string | undefined
    async function write(): Promise<void> {
      const accepted = conector === undefined ? null : CONNECTORS[conector].recordingFormats
      const mimeType = (accepted ?? FORMATS).find((format) => MediaRecorder.isTypeSupported(format))
      if (mimeType === undefined && accepted !== null) throw new UnsupportedFormat()
      stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      if (left) return close()
      const fresh = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType })
      const parts: Blob[] = []
      const inicio = performance.now()
      const seconds = (): number => (performance.now() - inicio) / 1_000
      fresh.addEventListener('dataavailable', ({ data }) => parts.push(data))
      fresh.addEventListener('stop', () => {
        const duracao = seconds()
        close()
        if (left) return
        const arquivo = toFile(parts, fresh.mimeType)
        url = URL.createObjectURL(arquivo)
        setGravacao({ etapa: 'pronta', arquivo, url, segundos: duracao })
      })
      fresh.start()
      recorder.current = fresh
      setGravacao({ etapa: 'gravando', segundos: 0 })
      timer = setInterval(() => {
        if (seconds() >= RECORDING_MAX_S) parar()
        else setGravacao({ etapa: 'gravando', segundos: seconds() })
      }, 500)
    }
    function close(): void {
      clearInterval(timer)
      for (const range of stream?.getTracks() ?? []) range.stop()
    }
    write().catch((error: unknown) => {
      close()
      if (!left) setGravacao({ etapa: 'recusada', motivo: failureText(error) })
    })
    return () => {
      left = true
      parar()
      close()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [parar, conector])
  return { gravacao, parar }
}
