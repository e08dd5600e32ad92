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
  readonly seek: (seconds: number) => void
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
  const [pacer, setRitmo] = useState<number>(SPEEDS[0])

  const ligar = useCallback((audio: HTMLAudioElement | null) => {
    elemento.current = audio
    if (audio === null) return
    const escuta = new AbortController()
    const listen = (event: string, run: () => void): void =>
      audio.addEventListener(event, run, { signal: escuta.signal })
    let medindo = false
    const measure = (): void => {
      if (Number.isFinite(audio.duration)) {
        setDuracao(audio.duration)
        if (medindo) audio.currentTime = 0
        medindo = false
      } else if (!medindo) {
        medindo = true
        audio.currentTime = BEYOND_END_S
      }
    }
    listen('loadedmetadata', measure)
    listen('durationchange', measure)
    listen('timeupdate', () => !medindo && setEm(audio.currentTime))
    listen('play', () => {
      if (playingNow !== audio) playingNow?.pause()
      playingNow = audio
      setTocando(true)
    })
    listen('pause', () => setTocando(false))
    listen('ended', () => setEm(0))
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
    speed: pacer,
    toggle: () => {
      const audio = elemento.current
      if (audio === null) return
      if (audio.paused) void audio.play().catch(() => setTocando(false))
      else audio.pause()
    },
    seek: (seconds) => {
      if (elemento.current === null) return
      elemento.current.currentTime = seconds
      setEm(seconds)
    },
    changeSpeed: () => {
      const next = SPEEDS[(SPEEDS.findIndex((um) => um === pacer) + 1) % SPEEDS.length] ?? 1
      if (elemento.current !== null) elemento.current.playbackRate = next
      setRitmo(next)
    },
  }
}
