import type { Midia } from '@balcao/contract/entities/mensagem'
import { Pause, Play } from 'lucide-react'
import { mediaBoxClass } from './media-box.ts'
import { mediaDescription, formatPlaybackTime } from './media-texts.ts'
import { useAudio } from './use-audio.ts'

export interface AudioProps {
  readonly midia: Midia
  readonly url: string
  readonly ours: boolean
  readonly onBroken: () => void
}

export function Audio({ midia, url, ours, onBroken }: AudioProps) {
  const { attach, playing, position, duration, speed, toggle, seek, changeSpeed } = useAudio(url)
  const name = mediaDescription(midia, ours)
  const time = formatPlaybackTime(playing || position > 0 ? position : (duration ?? 0))
  return (
    <div role="group" aria-label={name} className={`flex items-center gap-1.5 ${mediaBoxClass(midia)}`}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a voice message has no captions */}
      <audio ref={attach} src={url} preload="metadata" onError={onBroken} />
      <button
        type="button"
        aria-label={playing ? 'Pausar' : 'Ouvir'}
        className="grid size-11 flex-none place-items-center rounded-full bg-brand text-on-brand"
        onClick={toggle}
      >
        {playing ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden className="translate-x-px" />}
      </button>
      <input
        type="range"
        min={0}
        max={duration ?? 0}
        step={0.1}
        value={duration === null ? 0 : Math.min(position, duration)}
        disabled={duration === null}
        aria-label="Posição"
        aria-valuetext={`${formatPlaybackTime(position)} de ${formatPlaybackTime(duration ?? 0)}`}
        className="h-11 min-w-0 flex-1 accent-brand"
        onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
      />
      <span className="grid flex-none justify-items-end text-xs tabular-nums">
        <span>{time}</span>
        <button
          type="button"
          aria-label={`Velocidade ${speed.toLocaleString('pt-BR')}×`}
          className="min-h-6 min-w-9 rounded-full font-bold"
          onClick={changeSpeed}
        >
          {speed.toLocaleString('pt-BR')}×
        </button>
      </span>
    </div>
  )
}
