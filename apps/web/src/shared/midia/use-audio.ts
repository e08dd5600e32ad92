import { useCallback, useRef, useState } from 'react'

const SPEEDS = [1, 1.5, 2] as const
/** Beyond any recording: the browser stops at the end and then reports the duration. */
const BEYOND_END_S = 1e7

/** Only one recording plays at a time. */
let playingNow: HTMLAudioElement | null = null

export interface AudioControls {
  readonly attach: (audio: HTMLAudioElement | null) => (() => void) | undefined
  readonly playing: boolean
  readonly position: number
  /** In seconds; null until known. */
  readonly duration: number | null
  readonly speed: number
  readonly toggle: () => void
  readonly seek: (segundos: number) => void
  readonly changeSpeed: () => void
}

/**
 * State and controls of an audio player. Browser recordings carry no duration, so the player seeks to the end to
 * find it.
 */
export function useAudio(): AudioControls {
  const elemento = useRef<HTMLAudioElement | null>(null)
  const [tocando, setTocando] = useState(false)
  const [em, setEm] = useState(0)
  const [duracao, setDuracao] = useState<number | null>(null)
  const [ritmo, setRitmo] = useState<number>(SPEEDS[0])

  const ligar = useCallback((audio: HTMLAudioElement | null) => {
    elemento.current = audio
    if (audio === null) return
    const escuta = new AbortController()
    const ouvir = (evento: string, fazer: () => void): void =>
      audio.addEventListener(evento, fazer, { signal: escuta.signal })
    let medindo = false
    const medir = (): void => {
      if (Number.isFinite(audio.duration)) {
        setDuracao(audio.duration)
        if (medindo) audio.currentTime = 0
        medindo = false
      } else if (!medindo) {
        medindo = true
        audio.currentTime = BEYOND_END_S
      }
    }
    ouvir('loadedmetadata', medir)
    ouvir('durationchange', medir)
    ouvir('timeupdate', () => !medindo && setEm(audio.currentTime))
    ouvir('play', () => {
      if (playingNow !== audio) playingNow?.pause()
      playingNow = audio
      setTocando(true)
    })
    ouvir('pause', () => setTocando(false))
    ouvir('ended', () => setEm(0))
    return () => {
      escuta.abort()
      audio.pause()
      if (playingNow === audio) playingNow = null
      elemento.current = null
    }
  }, [])

  return {
    attach: ligar,
    playing: tocando,
    position: em,
    duration: duracao,
    speed: ritmo,
    toggle: () => {
      const audio = elemento.current
      if (audio === null) return
      if (audio.paused) void audio.play().catch(() => setTocando(false))
      else audio.pause()
    },
    seek: (segundos) => {
      if (elemento.current === null) return
      elemento.current.currentTime = segundos
      setEm(segundos)
    },
    changeSpeed: () => {
      const proximo = SPEEDS[(SPEEDS.findIndex((um) => um === ritmo) + 1) % SPEEDS.length] ?? 1
      if (elemento.current !== null) elemento.current.playbackRate = proximo
      setRitmo(proximo)
    },
  }
}
