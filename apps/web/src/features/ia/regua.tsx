import { TEMPERATURA } from '@balcao/contract/constants'
import type { ReactNode } from 'react'
import { Field } from '#shared/ui/field.tsx'

const LIMITES = {
  temperatura: { min: TEMPERATURA.minimo, max: TEMPERATURA.maximo, step: TEMPERATURA.passo },
  espera: { min: 0, max: 30, step: 1 },
} as const

export interface ReguaProps {
  readonly nome: string
  readonly rotulo: string
  readonly lido: string
  readonly valor: number
  readonly pontas: readonly [string, string]
  readonly limites: keyof typeof LIMITES
  readonly erro: string | undefined
  readonly dica?: ReactNode
  readonly onMudar: (valor: number) => void
}

export function Regua({ nome, rotulo, lido, valor, pontas, limites, erro, dica, onMudar }: ReguaProps) {
  return (
    <Field rotulo={`${rotulo}: ${lido}`} erro={erro} dica={dica}>
      {(ligacao) => (
        <>
          <input
            {...ligacao}
            {...LIMITES[limites]}
            type="range"
            name={nome}
            value={valor}
            aria-valuetext={lido}
            className="h-11 w-full cursor-pointer accent-brand"
            onChange={({ currentTarget }) => onMudar(Number(currentTarget.value))}
          />
          <span className="-mt-2 flex justify-between text-sm text-muted" aria-hidden>
            <span>{pontas[0]}</span>
            <span>{pontas[1]}</span>
          </span>
        </>
      )}
    </Field>
  )
}
