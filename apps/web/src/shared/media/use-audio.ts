import { useCallback, useLayoutEffect, useRef, useState } from 'react'

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

interface AudioListener {
  readonly onPlaying: (playing: boolean) => void
  readonly onPosition: (seconds: number) => void
  readonly onDuration: (seconds: number) => void
}

function listenTo(audio: HTMLAudioElement, { onPlaying, onPosition, onDuration }: AudioListener): () => void {
  const listening = new AbortController()
  const listen = (event: string, run: () => void): void =>
    audio.addEventListener(event, run, { signal: listening.signal })
  let measuring = false
  let measured = false
  const measure = (): void => {
    if (Number.isFinite(audio.duration)) {
      onDuration(audio.duration)
      if (measuring) audio.currentTime = 0
      measuring = false
      measured = true
    } else if (!measuring && !measured) {
      measuring = true
      audio.currentTime = BEYOND_END_S
    }
  }
  listen('loadedmetadata', measure)
  listen('durationchange', measure)
  listen('timeupdate', () => !measuring && onPosition(audio.currentTime))
  listen('play', () => {
    if (playingNow !== audio) playingNow?.pause()
    playingNow = audio
    onPlaying(true)
  })
  listen('pause', () => onPlaying(false))
  listen('ended', () => onPosition(0))
  return () => {
    listening.abort()
    audio.pause()
    if (playingNow === audio) playingNow = null
  }
}

/**
 * State and controls of an audio player. Browser recordings carry no duration, so the player seeks to the end to
 * find it.
 */
export function useAudio(url: string): AudioControls {
  const element = useRef<HTMLAudioElement | null>(null)
  const [playing, setPlaying] = useState(false)
  const [position, setPosition] = useState(0)
  const [duration, setDuration] = useState<number | null>(null)
  const [speed, setSpeed] = useState<number>(SPEEDS[0])
  const playingRef = useRef(false)
  const positionRef = useRef(0)
  const loadedUrl = useRef(url)
  // A new address makes the browser load from the start and pause without an event.
  useLayoutEffect(() => {
    const audio = element.current
    if (loadedUrl.current === url) return
    loadedUrl.current = url
    if (audio === null) return
    audio.currentTime = positionRef.current
    if (playingRef.current) void audio.play().catch(() => setPlaying(false))
  }, [url])

  const attach = useCallback((audio: HTMLAudioElement | null) => {
    element.current = audio
    if (audio === null) return
    const release = listenTo(audio, {
      onPlaying: (now) => {
        playingRef.current = now
        setPlaying(now)
      },
      onPosition: (seconds) => {
        positionRef.current = seconds
        setPosition(seconds)
      },
      onDuration: setDuration,
    })
    return () => {
      release()
      element.current = null
    }
  }, [])

  return {
    ...{ attach, playing, position, duration, speed },
    toggle: () => {
      const audio = element.current
      if (audio === null) return
      if (audio.paused) void audio.play().catch(() => setPlaying(false))
      else audio.pause()
    },
    seek: (seconds) => {
      if (element.current === null) return
      element.current.currentTime = seconds
      positionRef.current = seconds
      setPosition(seconds)
    },
    changeSpeed: () => {
      const next = SPEEDS[(SPEEDS.findIndex((known) => known === speed) + 1) % SPEEDS.length] ?? 1
      if (element.current !== null) {
        // A new address resets the speed to the default one.
        element.current.defaultPlaybackRate = next
        element.current.playbackRate = next
      }
      setSpeed(next)
    },
  }
}
