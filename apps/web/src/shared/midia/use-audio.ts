import { useCallback, useRef, useState } from 'react'

const RITMOS = [1, 1.5, 2] as const
/** Beyond any recording: the browser stops at the end and then reports the duration. */
const ALEM_DO_FIM_S = 1e7

/** Only one recording plays at a time. */
let tocandoAgora: HTMLAudioElement | null = null

export interface ControleDeAudio {
  readonly ligar: (audio: HTMLAudioElement | null) => (() => void) | undefined
  readonly tocando: boolean
  readonly em: number
  /** In seconds; null until known. */
  readonly duracao: number | null
  readonly ritmo: number
  readonly alternar: () => void
  readonly irPara: (segundos: number) => void
  readonly mudarRitmo: () => void
}

/**
 * State and controls of an audio player. Browser recordings carry no duration, so the player seeks to the end to
 * find it.
 */
export function useAudio(): ControleDeAudio {
  const elemento = useRef<HTMLAudioElement | null>(null)
  const [tocando, setTocando] = useState(false)
  const [em, setEm] = useState(0)
  const [duracao, setDuracao] = useState<number | null>(null)
  const [ritmo, setRitmo] = useState<number>(RITMOS[0])

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
        audio.currentTime = ALEM_DO_FIM_S
      }
    }
    ouvir('loadedmetadata', medir)
    ouvir('durationchange', medir)
    ouvir('timeupdate', () => !medindo && setEm(audio.currentTime))
    ouvir('play', () => {
      if (tocandoAgora !== audio) tocandoAgora?.pause()
      tocandoAgora = audio
      setTocando(true)
    })
    ouvir('pause', () => setTocando(false))
    ouvir('ended', () => setEm(0))
    return () => {
      escuta.abort()
      audio.pause()
      if (tocandoAgora === audio) tocandoAgora = null
      elemento.current = null
    }
  }, [])

  return {
    ligar,
    tocando,
    em,
    duracao,
    ritmo,
    alternar: () => {
      const audio = elemento.current
      if (audio === null) return
      if (audio.paused) void audio.play().catch(() => setTocando(false))
      else audio.pause()
    },
    irPara: (segundos) => {
      if (elemento.current === null) return
      elemento.current.currentTime = segundos
      setEm(segundos)
    },
    mudarRitmo: () => {
      const proximo = RITMOS[(RITMOS.findIndex((um) => um === ritmo) + 1) % RITMOS.length] ?? 1
      if (elemento.current !== null) elemento.current.playbackRate = proximo
      setRitmo(proximo)
    },
  }
}
