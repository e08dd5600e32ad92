import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { type PointerEvent, useState } from 'react'
import { formatNumber } from '#shared/format.ts'
import { formatDiaCurto, formatDiaDaSemana } from './periodo.ts'

type Dias = Relatorio['dias']

/** Width of one bar with its gap, in viewBox units. The drawing stretches to the container. */
const PASSO = 10
const ALTURA = 100

const conversas = (quantas: number): string => `${formatNumber(quantas)} ${quantas === 1 ? 'conversa' : 'conversas'}`

/** Smallest of 1, 2, 5, 10, 20, 50, … that is not below the maximum. */
export function topoDe(maior: number): number {
  if (maior <= 5) return 5
  const dezena = 10 ** Math.floor(Math.log10(maior))
  return [1, 2, 5, 10].map((vezes) => vezes * dezena).find((topo) => topo >= maior) ?? maior
}

function emPalavras(dias: Dias): string {
  const total = dias.reduce((soma, dia) => soma + dia.conversas, 0)
  const cheio = dias.reduce((maior, dia) => (dia.conversas > maior.conversas ? dia : maior), dias[0] ?? SEM_DIA)
  const inicio = `${formatNumber(total)} no período`
  return cheio.conversas === 0 ? inicio : `${inicio}. O dia mais cheio: ${dizer(cheio)}.`
}
const SEM_DIA = { dia: '', conversas: 0 }

function dizer({ dia, conversas: quantas }: { dia: string; conversas: number }): string {
  return `${formatDiaDaSemana(dia)}, ${conversas(quantas)}`
}

function Barras({ dias, topo, aceso }: { dias: Dias; topo: number; aceso: number | null }) {
  return (
    <svg
      viewBox={`0 0 ${dias.length * PASSO} ${ALTURA}`}
      preserveAspectRatio="none"
      aria-hidden
      className="absolute inset-0 size-full"
    >
      {dias.map(({ dia, conversas: quantas }, indice) => (
        <rect
          key={dia}
          x={indice * PASSO + 1.2}
          width={PASSO - 2.4}
          y={ALTURA - (quantas / topo) * ALTURA}
          height={(quantas / topo) * ALTURA}
          className={aceso === null || aceso === indice ? 'fill-brand' : 'fill-brand opacity-40'}
        />
      ))}
    </svg>
  )
}

export function Grafico({ dias }: { dias: Dias }) {
  const [aceso, setAceso] = useState<number | null>(null)
  const topo = topoDe(Math.max(...dias.map((dia) => dia.conversas)))
  const apontar = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const indice = Math.floor(((clientX - left) / width) * dias.length)
    setAceso(indice >= 0 && indice < dias.length ? indice : null)
  }
  const apontado = aceso === null ? undefined : dias[aceso]
  const marcas = [...new Set([0, Math.floor((dias.length - 1) / 2), dias.length - 1])].flatMap((i) => dias[i] ?? [])
  return (
    <figure role="img" aria-label={`Conversas por dia: ${emPalavras(dias)}`}>
      <p aria-hidden className="mb-3 min-h-6 text-sm text-muted first-letter:uppercase">
        {apontado === undefined ? emPalavras(dias) : dizer(apontado)}
      </p>
      <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-muted tabular-nums">
        <div className="flex flex-col justify-between text-right leading-none">
          <span>{formatNumber(topo)}</span>
          <span>0</span>
        </div>
        <div
          className="relative h-44 border-y"
          onPointerMove={apontar}
          onPointerDown={apontar}
          onPointerLeave={() => setAceso(null)}
        >
          <div className="absolute inset-x-0 top-1/2 border-t border-dashed" />
          <Barras dias={dias} topo={topo} aceso={aceso} />
        </div>
        <div className="col-start-2 mt-1.5 flex justify-between">
          {marcas.map(({ dia }) => (
            <span key={dia}>{formatDiaCurto(dia)}</span>
          ))}
        </div>
      </div>
    </figure>
  )
}
