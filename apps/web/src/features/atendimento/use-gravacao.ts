import type { ConectorTipo } from '@balcao/contract/constants'
import { useCallback, useEffect, useRef, useState } from 'react'

/** 5 minutes of audio stay far below the 5 MB file limit. */
const RECORDING_MAX_S = 300
/** Formats every connector accepts. The Meta API accepts no others. */
const COMMON_FORMATS = ['audio/ogg;codecs=opus', 'audio/mp4;codecs=mp4a.40.2', 'audio/mp4']
const FORMATS = [...COMMON_FORMATS, 'audio/webm;codecs=opus']
const UNSUPPORTED_FORMAT_TEXT =
  'Este navegador grava num formato que a API oficial do WhatsApp não aceita. Grave por outro navegador, ou anexe um áudio em MP3, M4A ou OGG.'

class UnsupportedFormat extends Error {}

export type Recording =
  | { readonly etapa: 'pedindo' }
  | { readonly etapa: 'gravando'; readonly segundos: number }
  | { readonly etapa: 'pronta'; readonly arquivo: File; readonly url: string; readonly segundos: number }
  | { readonly etapa: 'recusada'; readonly motivo: string }

function failureText(erro: unknown): string {
  if (erro instanceof UnsupportedFormat) return UNSUPPORTED_FORMAT_TEXT
  const nome = erro instanceof DOMException ? erro.name : ''
  if (nome === 'NotAllowedError' || nome === 'SecurityError') {
    return 'O microfone está bloqueado para este site. Toque no cadeado ao lado do endereço, permita o microfone e tente de novo.'
  }
  if (nome === 'NotFoundError') return 'Nenhum microfone foi encontrado neste aparelho.'
  if (nome === 'NotReadableError') return 'O microfone está em uso por outro programa. Feche-o e tente de novo.'
  return 'Este navegador não consegue gravar áudio aqui. Abra o painel por um endereço https e tente de novo.'
}

function toFile(partes: readonly Blob[], tipo: string): File {
  const [mime = 'audio/webm'] = tipo.split(';')
  const extensao = mime === 'audio/mp4' ? 'm4a' : (mime.split('/')[1] ?? 'webm')
  return new File([...partes], `audio-${Date.now()}.${extensao}`, { type: mime })
}

export function useRecording(conector: ConectorTipo | undefined): {
  readonly gravacao: Recording
  readonly parar: () => void
} {
  const [gravacao, setGravacao] = useState<Recording>({ etapa: 'pedindo' })
  const gravador = useRef<MediaRecorder | null>(null)
  const parar = useCallback(() => {
    if (gravador.current?.state === 'recording') gravador.current.stop()
  }, [])
  useEffect(() => {
    let saiu = false
    let fluxo: MediaStream | undefined
    let relogio: ReturnType<typeof setInterval> | undefined
    let url: string | undefined
    async function gravar(): Promise<void> {
      const formatos = conector === 'oficial' ? COMMON_FORMATS : FORMATS
      const mimeType = formatos.find((formato) => MediaRecorder.isTypeSupported(formato))
      if (mimeType === undefined && conector === 'oficial') throw new UnsupportedFormat()
      fluxo = await navigator.mediaDevices.getUserMedia({ audio: true })
      if (saiu) return fechar()
      const novo = new MediaRecorder(fluxo, mimeType === undefined ? {} : { mimeType })
      const partes: Blob[] = []
      const inicio = performance.now()
      const segundos = (): number => (performance.now() - inicio) / 1_000
      novo.addEventListener('dataavailable', ({ data }) => partes.push(data))
      novo.addEventListener('stop', () => {
        const duracao = segundos()
        fechar()
        if (saiu) return
        const arquivo = toFile(partes, novo.mimeType)
        url = URL.createObjectURL(arquivo)
        setGravacao({ etapa: 'pronta', arquivo, url, segundos: duracao })
      })
      novo.start()
      gravador.current = novo
      setGravacao({ etapa: 'gravando', segundos: 0 })
      relogio = setInterval(() => {
        if (segundos() >= RECORDING_MAX_S) parar()
        else setGravacao({ etapa: 'gravando', segundos: segundos() })
      }, 500)
    }
    function fechar(): void {
      clearInterval(relogio)
      for (const faixa of fluxo?.getTracks() ?? []) faixa.stop()
    }
    gravar().catch((erro: unknown) => {
      fechar()
      if (!saiu) setGravacao({ etapa: 'recusada', motivo: failureText(erro) })
    })
    return () => {
      saiu = true
      parar()
      fechar()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [parar, conector])
  return { gravacao, parar }
}
