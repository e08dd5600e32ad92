import type { Midia } from '@balcao/contract/entities/mensagem'
import { Pause, Play } from 'lucide-react'
import { caixaDe } from './caixa.ts'
import { descricao, formatDuracao } from './palavras.ts'
import { useAudio } from './use-audio.ts'

export interface AudioProps {
  readonly midia: Midia
  readonly url: string
  readonly deMim: boolean
  readonly onQuebrar: () => void
}

export function Audio({ midia, url, deMim, onQuebrar }: AudioProps) {
  const { ligar, tocando, em, duracao, ritmo, alternar, irPara, mudarRitmo } = useAudio()
  const nome = descricao(midia, deMim)
  const tempo = formatDuracao(tocando || em > 0 ? em : (duracao ?? 0))
  return (
    <div role="group" aria-label={nome} className={`flex items-center gap-1.5 ${caixaDe(midia)}`}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what a person recorded has none */}
      <audio ref={ligar} src={url} preload="metadata" onError={onQuebrar} />
      <button
        type="button"
        aria-label={tocando ? 'Pausar' : 'Ouvir'}
        className="grid size-11 flex-none place-items-center rounded-full bg-brand text-on-brand"
        onClick={alternar}
      >
        {tocando ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden className="translate-x-px" />}
      </button>
      <input
        type="range"
        min={0}
        max={duracao ?? 0}
        step={0.1}
        value={duracao === null ? 0 : Math.min(em, duracao)}
        disabled={duracao === null}
        aria-label="Posição"
        aria-valuetext={`${formatDuracao(em)} de ${formatDuracao(duracao ?? 0)}`}
        className="h-11 min-w-0 flex-1 accent-brand"
        onChange={({ currentTarget }) => irPara(Number(currentTarget.value))}
      />
      <span className="grid flex-none justify-items-end text-xs tabular-nums">
        <span>{tempo}</span>
        <button
          type="button"
          aria-label={`Velocidade ${ritmo.toLocaleString('pt-BR')}×`}
          className="min-h-6 min-w-9 rounded-full font-bold"
          onClick={mudarRitmo}
        >
          {ritmo.toLocaleString('pt-BR')}×
        </button>
      </span>
    </div>
  )
}
